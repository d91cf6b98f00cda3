// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import MosquittoClient

/// A mosquitto of our own on loopback, for a demonstration or a measurement.
///
/// It lets everybody in, keeps nothing, and ends with this process.
package final class PrivateBroker: Sendable {
    /// Where it listens, on 127.0.0.1.
    package let port: Int
    private let process: ChildProcess

    /// Starts it on a free port and waits until it listens.
    ///
    /// `settings` are lines for the end of its configuration.
    package init(settings: [String] = ["set_tcp_nodelay true"]) throws(CommandFailure) {
        let port = try RunCommand.systemCall { () throws(SystemError) in try FreePort.find() }
        // Started by root, mosquitto would change its user and thereby forget that it has to end with us.
        let configuration =
            (["user root", "listener \(port) 127.0.0.1", "allow_anonymous true"] + settings).joined(separator: "\n")
        let name = "nearby-broker-\(BridgeOptions.randomToken()).conf"
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        do {
            try Data(configuration.utf8).write(to: file)
        } catch {
            throw CommandFailure(.unavailable, "cannot write \(file.path): \(error)")
        }
        // Read once, at the start.
        defer { try? FileManager.default.removeItem(at: file) }
        self.port = port
        process = try Self.start(file.path)
        try Self.wait(for: port, process)
    }

    /// The operating system's number of the broker.
    package var identifier: Int32 { process.identifier }

    /// Ends it and waits for its end.
    package func stop() {
        process.terminate()
        _ = process.wait()
    }

    private static func start(_ file: String) throws(CommandFailure) -> ChildProcess {
        for path in ["mosquitto", "/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"] {
            if let started = try? ChildProcess([path, "-c", file], output: .null, error: .null) { return started }
        }
        throw CommandFailure(.unavailable, "mosquitto is not installed; on Debian: apt-get install mosquitto")
    }

    /// Tries the port until it takes connections: a first attempt that fails would be a warning to a newcomer.
    private static func wait(for port: Int, _ mosquitto: ChildProcess) throws(CommandFailure) {
        let options = ConnectionOptions(host: "127.0.0.1", port: port, clientIdentifier: "nearby-broker")
        for _ in 0..<100 {
            if (try? MosquittoClient(options: options).connect()) != nil { return }
            guard mosquitto.waitNoHang() == nil else { break }
            var poller = Poller()
            _ = try? poller.wait(nanoseconds: 50_000_000)
        }
        throw CommandFailure(.unavailable, "the private mosquitto does not listen on 127.0.0.1:\(port)")
    }
}
