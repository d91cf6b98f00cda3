// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import LinuxSystem

/// A service manager's ear: the socket that services tell their state to.
public final class NotifyListener: Sendable {
    /// What `NOTIFY_SOCKET` has to say.
    public let path: String
    private let directory: TemporaryDirectory
    private let descriptor: Int32
    private let heard = Locked<[String]>([])

    /// Opens a socket in a directory of its own.
    public init() throws(SystemError) {
        directory = try TemporaryDirectory()
        path = directory.file("notify")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError(operation: "open a socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound else { throw SystemError(operation: "bind \(path)") }
    }

    deinit { _ = close(descriptor) }

    /// Everything that was told so far, in order.
    public var messages: [String] {
        heard.withLock { heard in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return heard }
                heard.append(String(decoding: buffer[..<count], as: UTF8.self))
            }
        }
    }
}
