// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxSystem

/// A real broker on free loopback ports with a directory of its own; killed and cleaned up with the object.
public final class MosquittoProcess: Sendable {
    /// A second listener that speaks TLS.
    public struct TLS: Sendable {
        /// The broker's certificate (PEM file).
        public var certificate: String
        /// Its key.
        public var key: String
        /// Authorities for client certificates; `nil` asks clients for none.
        public var clientAuthority: String?

        /// Makes a listener.
        public init(certificate: String, key: String, clientAuthority: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.clientAuthority = clientAuthority
        }
    }

    /// Why the broker does not run.
    public struct Failure: Error, CustomStringConvertible {
        /// What went wrong, with the broker's log.
        public let description: String
    }

    /// The port of the plain listener.
    public let port: Int
    /// The port of the TLS listener; 0 without one.
    public let tlsPort: Int
    private let directory: TemporaryDirectory
    private let child = Locked<ChildProcess?>(nil)

    /// Starts a broker and waits until it listens.
    ///
    /// `persistence` keeps sessions and retained messages over `stop()` (and `kill()` with `autosave_on_changes`);
    /// `extra` are lines for the end of its configuration.
    public convenience init(
        persistence: Bool = false,
        tcpNoDelay: Bool = true,
        allowAnonymous: Bool = true,
        tls: TLS? = nil,
        extra: [String] = []
    ) throws {
        try self.init(hasTLS: tls != nil) { ports, directory in
            Self.configuration(
                ports: ports,
                directory: directory.path,
                persistence: persistence,
                tcpNoDelay: tcpNoDelay,
                allowAnonymous: allowAnonymous,
                tls: tls,
                extra: extra
            )
        }
    }

    /// Starts a broker with a configuration of its own, which must name the port and log to standard error.
    ///
    /// It may need other files beside it, in the directory.
    public convenience init(_ configuration: (_ port: Int, TemporaryDirectory) throws -> String) throws {
        try self.init(hasTLS: false) { ports, directory in try configuration(ports.plain, directory) }
    }

    private init(
        hasTLS: Bool,
        _ configuration: (_ ports: (plain: Int, tls: Int), TemporaryDirectory) throws -> String
    ) throws {
        directory = try TemporaryDirectory()
        var lastError: (any Error)?
        // Another test may take a port between our looking and the broker's binding.
        for _ in 0..<5 {
            let ports = (plain: try FreePort.find(), tls: hasTLS ? try FreePort.find() : 0)
            try directory.write(configuration(ports, directory), to: "mosquitto.conf")
            do {
                let started = try Self.start(in: directory)
                child.withLock { $0 = started }
                (port, tlsPort) = ports
                return
            } catch {
                lastError = error
            }
        }
        throw lastError ?? Failure(description: "mosquitto does not start")
    }

    /// All the broker has said, over restarts.
    public var log: String { directory.text(of: "log") }

    /// The broker's process, for signals and measurements; 0 when it does not run.
    public var identifier: Int32 { child.withLock { $0?.identifier ?? 0 } }

    /// Ends the broker as a power cut would.
    public func kill() { end(SIGKILL) }

    /// Ends the broker in order: it saves what it persists.
    public func stop() { end(SIGTERM) }

    /// Makes the broker stand still without closing anything; `false` lets it go on.
    public func freeze(_ isFrozen: Bool) { child.withLock { $0?.send(isFrozen ? SIGSTOP : SIGCONT) } }

    /// Starts the broker again on the same ports; without `keepingData` as if it had never run.
    public func restart(keepingData: Bool = true) throws {
        stop()
        if !keepingData { _ = unsafe unlink(directory.file("mosquitto.db")) }
        let started = try Self.start(in: directory)
        child.withLock { $0 = started }
    }

    private func end(_ signal: Int32) {
        let ended = child.withLock { child in
            defer { child = nil }
            return child
        }
        ended?.send(signal)
        ended?.wait()
    }

    private static func start(in directory: TemporaryDirectory) throws -> ChildProcess {
        let log = unsafe open(directory.file("log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard log >= 0 else { throw SystemError(operation: "create the broker's log") }
        defer { _ = close(log) }
        let startsBefore = starts(in: directory.text(of: "log"))
        let program = unsafe access("/usr/sbin/mosquitto", X_OK) == 0 ? "/usr/sbin/mosquitto" : "mosquitto"
        let child = try ChildProcess(
            [program, "-c", directory.file("mosquitto.conf")],
            output: .descriptor(log),
            error: .descriptor(log)
        )
        let isUp = Waiting.until {
            child.waitNoHang() != nil || starts(in: directory.text(of: "log")) > startsBefore
        }
        guard isUp, child.waitNoHang() == nil else {
            throw Failure(description: "mosquitto does not start:\n\(directory.text(of: "log"))")
        }
        return child
    }

    /// It says so once for each start, after all its listeners are open.
    private static func starts(in log: String) -> Int {
        log.split(separator: "\n").count { $0.hasSuffix(" running") }
    }

    private static func configuration(
        ports: (plain: Int, tls: Int),
        directory: String,
        persistence: Bool,
        tcpNoDelay: Bool,
        allowAnonymous: Bool,
        tls: TLS?,
        extra: [String]
    ) -> String {
        var lines = [
            "user root", "log_dest stderr", "log_type all", "connection_messages true",
            "allow_anonymous \(allowAnonymous)", "set_tcp_nodelay \(tcpNoDelay)", "persistence \(persistence)",
            "persistence_location \(directory)/", "listener \(ports.plain) 127.0.0.1",
        ]
        if let tls {
            lines += ["listener \(ports.tls) 127.0.0.1", "certfile \(tls.certificate)", "keyfile \(tls.key)"]
            if let authority = tls.clientAuthority { lines += ["cafile \(authority)", "require_certificate true"] }
        }
        return (lines + extra).joined(separator: "\n") + "\n"
    }
}
