// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import LinuxSystem

/// A TCP proxy on 127.0.0.1 whose way to the server can be blocked and whose connections can be cut.
///
/// What was sent into a blocked way is lost when the connections are cut, as with a pulled cable.
public final class TCPProxy: Sendable {
    /// A client and the server connection made for it.
    private struct Pair {
        let client: Int32
        let server: Int32
    }

    private struct State {
        var isBlocked = false
        var wantsCut = false
    }

    /// Where it listens.
    public let port: Int
    private let stop: WakeUp
    private let state = Locked(State())
    private let thread: Thread

    /// Listens, and connects every client to a port of 127.0.0.1.
    public init(to target: Int) throws(SystemError) {
        let stop = try WakeUp()
        let (listener, port) = try LoopbackSocket.listen()
        self.port = port
        self.stop = stop
        thread = try Thread(name: "proxy") { [state] in
            var pairs: [Pair] = []
            while true {
                var poller = Poller()
                let end = poller.add(stop.descriptor)
                let door = poller.add(listener)
                let isBlocked = state.withLock { $0.isBlocked }
                let slots = pairs.map { (poller.add(isBlocked ? -1 : $0.client), poller.add($0.server)) }
                // Looks at the switches often enough for a test.
                _ = try? poller.wait(nanoseconds: 20_000_000)
                guard poller.readiness(of: end).isEmpty else { break }
                let wantsCut = state.withLock { state in
                    defer { state.wantsCut = false }
                    return state.wantsCut
                }
                var ended: Set<Int32> = []
                for (pair, slot) in zip(pairs, slots) {
                    let isUp = poller.readiness(of: slot.0).isEmpty || LoopbackSocket.forward(pair.client, pair.server)
                    let isDown =
                        poller.readiness(of: slot.1).isEmpty || LoopbackSocket.forward(pair.server, pair.client)
                    if wantsCut || !isUp || !isDown { ended.insert(pair.client) }
                }
                for pair in pairs where ended.contains(pair.client) {
                    LoopbackSocket.reset(pair.client)
                    LoopbackSocket.reset(pair.server)
                }
                pairs.removeAll { ended.contains($0.client) }
                guard !poller.readiness(of: door).isEmpty else { continue }
                let client = accept(listener, nil, nil)
                guard client >= 0 else { continue }
                if let server = LoopbackSocket.connect(to: target) {
                    pairs.append(Pair(client: client, server: server))
                } else {
                    _ = close(client)
                }
            }
            for pair in pairs {
                _ = close(pair.client)
                _ = close(pair.server)
            }
            _ = close(listener)
        }
    }

    deinit {
        stop.signal()
        thread.join()
    }

    /// Whether what clients send stays on the way; what the server sends still arrives.
    public var isBlocked: Bool {
        get { state.withLock { $0.isBlocked } }
        set { state.withLock { $0.isBlocked = newValue } }
    }

    /// Cuts every connection with a reset; what was on the way is lost.
    public func cut() {
        state.withLock { $0.wantsCut = true }
    }
}
