// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import LinuxSystem

/// A TCP proxy on 127.0.0.1 that does what networks do to connections.
///
/// What was sent into a blocked way is lost when the connections are cut, as with a pulled cable.
public final class TCPProxy: Sendable {
    /// A client and the server connection made for it.
    private struct Pair {
        let client: Int32
        /// -1 once it was abandoned: the client does not know that nobody is there any more.
        var server: Int32

        func close(byReset: Bool) {
            for descriptor in [client, server] where descriptor >= 0 {
                if byReset { LoopbackSocket.reset(descriptor) } else { _ = Glibc.close(descriptor) }
            }
        }
    }

    private struct State {
        var isBlocked = false
        var isBlackHole = false
        var wantsCut = false
        var wantsAbandon = false
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
            while Self.turn(&pairs, stop, listener, target, state) {}
            for pair in pairs { pair.close(byReset: false) }
            _ = close(listener)
        }
    }

    /// Waits for what comes and hands it on; false when the proxy is to end.
    private static func turn(
        _ pairs: inout [Pair],
        _ stop: WakeUp,
        _ listener: Int32,
        _ target: Int,
        _ state: Locked<State>
    ) -> Bool {
        var poller = Poller()
        let end = poller.add(stop.descriptor)
        let orders = state.withLock { $0 }
        // Who knocks at a black hole is not let in: the kernel says yes, and nobody answers.
        let door = poller.add(orders.isBlackHole ? -1 : listener)
        let slots = pairs.map { pair in
            let isDeaf = orders.isBlocked || orders.isBlackHole || pair.server < 0
            return (poller.add(isDeaf ? -1 : pair.client), poller.add(orders.isBlackHole ? -1 : pair.server))
        }
        // Looks at the switches often enough for a test.
        _ = try? poller.wait(nanoseconds: 20_000_000)
        guard poller.readiness(of: end).isEmpty else { return false }
        let (wantsCut, wantsAbandon) = state.withLock { state in
            defer {
                state.wantsCut = false
                state.wantsAbandon = false
            }
            return (state.wantsCut, state.wantsAbandon)
        }
        var ended: Set<Int32> = []
        for (pair, slot) in zip(pairs, slots) {
            let isUp = poller.readiness(of: slot.0).isEmpty || LoopbackSocket.forward(pair.client, pair.server)
            let isDown = poller.readiness(of: slot.1).isEmpty || LoopbackSocket.forward(pair.server, pair.client)
            if wantsCut || !isUp || !isDown { ended.insert(pair.client) }
        }
        for pair in pairs where ended.contains(pair.client) { pair.close(byReset: true) }
        pairs.removeAll { ended.contains($0.client) }
        if wantsAbandon {
            for index in pairs.indices where pairs[index].server >= 0 {
                LoopbackSocket.reset(pairs[index].server)
                pairs[index].server = -1
            }
        }
        guard !poller.readiness(of: door).isEmpty else { return true }
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return true }
        if let server = LoopbackSocket.connect(to: target) {
            pairs.append(Pair(client: client, server: server))
        } else {
            _ = close(client)
        }
        return true
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

    /// Whether nothing arrives in either direction, and nobody who connects is answered.
    ///
    /// When it ends, what waited goes on its way, as TCP would send it again.
    public var isBlackHole: Bool {
        get { state.withLock { $0.isBlackHole } }
        set { state.withLock { $0.isBlackHole = newValue } }
    }

    /// Cuts every connection with a reset; what was on the way is lost.
    public func cut() {
        state.withLock { $0.wantsCut = true }
    }

    /// Takes the server away from every connection without telling the client: the connections are half open.
    ///
    /// New ones are whole.
    public func abandon() {
        state.withLock { $0.wantsAbandon = true }
    }
}
