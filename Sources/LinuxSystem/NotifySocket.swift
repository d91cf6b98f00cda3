// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// Tells the service manager how this service is: datagrams to `NOTIFY_SOCKET`, as `sd_notify(3)` describes them.
///
/// Nothing here ever blocks or fails aloud: a service must not suffer because nobody listens.
public final class NotifySocket: Sendable {
    /// What there is to tell.
    public enum Message: Sendable, Equatable {
        /// The service does its work, or has read its configuration again.
        case ready
        /// It reads its configuration again; `ready` says that it has.
        case reloading
        /// It is about to end.
        case stopping
        /// It is alive.
        case watchdog
    }

    /// How many nanoseconds may pass between two `watchdog` messages; `nil` if nobody waits for them.
    ///
    /// Half of what the service manager allows, so that one that comes late is still in time.
    public let watchdogInterval: Int64?

    private let descriptor: Int32
    private let path: [UInt8]

    /// Where the environment says, `nil` where no service manager waits for news of us.
    public static func fromEnvironment() -> NotifySocket? {
        guard let path = Environment.value("NOTIFY_SOCKET") else { return nil }
        return NotifySocket(
            path: path,
            watchdogMicroseconds: Environment.value("WATCHDOG_USEC"),
            watchdogProcess: Environment.value("WATCHDOG_PID")
        )
    }

    /// A socket at an absolute path, or with `@` at its head in the abstract namespace.
    ///
    /// `nil` if no datagram can be sent there: the path has another form, is too long, or no descriptor is free.
    public init?(path: String, watchdogMicroseconds: String? = nil, watchdogProcess: String? = nil) {
        var path = Array(path.utf8)
        guard path.count > 1, path.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        guard path[0] == UInt8(ascii: "/") || path[0] == UInt8(ascii: "@") else { return nil }
        // The abstract namespace begins with a zero byte, which no environment can hold.
        if path[0] == UInt8(ascii: "@") { path[0] = 0 }
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.path = path
        let isForUs = watchdogProcess.map { Int32($0) == getpid() } ?? true
        let allowed = watchdogMicroseconds.flatMap { Int64($0) } ?? 0
        watchdogInterval = isForUs && allowed > 0 ? max(1, min(allowed, 1 << 50) * 500) : nil
    }

    deinit { _ = close(descriptor) }

    /// Tells it; from any thread.
    public func send(_ message: Message) {
        let text = Array(Self.text(message).utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe sendto(
                    descriptor,
                    text,
                    text.count,
                    Int32(MSG_DONTWAIT | MSG_NOSIGNAL),
                    generic,
                    size
                )
            }
        }
    }

    private static func text(_ message: Message) -> String {
        switch message {
        case .ready: "READY=1"
        // The moment tells this reload from the one before.
        case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(readClock(CLOCK_MONOTONIC) / 1_000)"
        case .stopping: "STOPPING=1"
        case .watchdog: "WATCHDOG=1"
        }
    }
}
