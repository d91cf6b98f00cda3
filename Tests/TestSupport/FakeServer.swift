// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import LinuxSystem

/// A TCP server on 127.0.0.1 that does what a script says, for behaviour no real broker shows.
public final class FakeServer: Sendable {
    /// A connection as the script sees it.
    public struct Connection: ~Copyable {
        private let descriptor: Int32
        private let stop: WakeUp

        fileprivate init(_ descriptor: Int32, _ stop: WakeUp) {
            self.descriptor = descriptor
            self.stop = stop
        }

        deinit { _ = Glibc.close(descriptor) }

        /// Waits for bytes and returns them; empty when the client has closed or the test is over.
        public func read() -> [UInt8] {
            guard wait() else { return [] }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
            return Array(bytes.prefix(max(0, count)))
        }

        /// Sends bytes.
        public func write(_ bytes: [UInt8]) {
            _ = unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }

        /// Waits until the client has closed or the test is over.
        public func waitForClose() { while !read().isEmpty {} }

        /// Ends the connection with a TCP reset.
        public consuming func reset() {
            LoopbackSocket.makeAbrupt(descriptor)
        }

        private func wait() -> Bool {
            var poller = Poller()
            let socket = poller.add(descriptor)
            let end = poller.add(stop.descriptor)
            _ = try? poller.wait(timeout: nil)
            return poller.readiness(of: end).isEmpty && !poller.readiness(of: socket).isEmpty
        }
    }

    /// Where it listens.
    public let port: Int
    private let stop: WakeUp
    private let thread: Thread
    private let count = Locked(0)

    /// How many connections there have been.
    public var connections: Int { count.withLock { $0 } }

    /// Listens, and runs `script` for one connection after the other on a thread of its own.
    public init(_ script: @escaping @Sendable (consuming Connection) -> Void) throws(SystemError) {
        let stop = try WakeUp()
        let (descriptor, port) = try LoopbackSocket.listen()
        self.port = port
        self.stop = stop
        thread = try Thread(name: "fake server") { [count] in
            var poller = Poller()
            _ = poller.add(descriptor)
            let end = poller.add(stop.descriptor)
            while true {
                _ = try? poller.wait(timeout: nil)
                guard poller.readiness(of: end).isEmpty else { break }
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0 else { continue }
                count.withLock { $0 += 1 }
                script(Connection(accepted, stop))
            }
            _ = close(descriptor)
        }
    }

    deinit {
        stop.signal()
        thread.join()
    }
}
