// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import TestSupport

/// Everybody who comes and goes in a soak, on a thread and a connection of their own.
final class SoakCrowd: Sendable {
    /// What they are told.
    private struct Orders {
        var isCalm = true
        var mayEnter = true
        var isOver = false
    }

    /// What they tell.
    struct Figures {
        var reports = 0
        var distortions = 0
        var isConnected = false
        var areAllAtRest = false
        var walkers: [SoakWalker] = []
    }

    private let orders = Locked(Orders())
    private let shared = Locked(Figures())
    private let thread: Thread

    /// Begins to report to a broker.
    init(_ walkers: [SoakWalker], port: Int) throws {
        shared.withLock { $0.walkers = walkers }
        thread = try Thread(name: "crowd") { [orders, shared] in
            var walkers = walkers
            let begin = MonotonicClock.now()
            let wall = Double(WallClock.now()) * 1e-9
            var loop: SoakCrowdLoop?
            while true {
                let told = orders.withLock { $0 }
                if told.isOver { break }
                if loop?.isOver ?? true {
                    loop = SoakCrowdLoop(port: port)
                    if loop == nil { Waiting.sleep(milliseconds: 50) }
                }
                let now = Double(MonotonicClock.now() - begin) * 1e-9
                var count = 0
                for index in walkers.indices {
                    while walkers[index].due <= now {
                        let time = wall + walkers[index].due
                        let reports = walkers[index].step(isCalm: told.isCalm, mayEnter: told.mayEnter, wall: time)
                        for report in reports { loop?.send(report, of: walkers[index].name) }
                        count += reports.count
                    }
                }
                loop?.turn()
                let (isConnected, reports) = (loop?.isConnected ?? false, count)
                shared.withLock { [walkers] figures in
                    figures.reports += reports
                    figures.isConnected = isConnected
                    figures.distortions = walkers.reduce(0) { $0 + $1.distortions }
                    figures.areAllAtRest = walkers.allSatisfy(\.isAtRest)
                    figures.walkers = walkers
                }
            }
        }
    }

    deinit { end() }

    /// What is known of them now.
    var figures: Figures { shared.withLock { $0 } }

    /// Whether nothing is wrong: nobody moves on before that was so for a while.
    func setCalm(_ isCalm: Bool) { orders.withLock { $0.isCalm = isCalm } }

    /// Lets everybody finish the visit that goes on and begin no other.
    func letNobodyEnter() { orders.withLock { $0.mayEnter = false } }

    /// Ends the reports.
    func end() {
        orders.withLock { $0.isOver = true }
        thread.join()
    }
}

/// One connection of the crowd; belongs to its thread.
private final class SoakCrowdLoop: MosquittoClientDelegate {
    private let client: MosquittoClient
    private var poller = Poller()
    private let socket: Poller.Slot
    private(set) var isConnected = false
    private(set) var isOver = false

    init?(port: Int) {
        let options = ConnectionOptions(
            host: "127.0.0.1",
            port: port,
            clientIdentifier: "crowd-\(UInt32.random(in: 0...UInt32.max))",
            cleanStart: true,
            sessionExpiry: .zero
        )
        guard let client = try? MosquittoClient(options: options), (try? client.connect()) != nil else { return nil }
        self.client = client
        socket = poller.add()
        client.delegate = self
    }

    /// Queues a report; while nobody is there to take it, it is lost.
    func send(_ report: String, of name: String) {
        guard isConnected else { return }
        _ = try? client.publish(
            topic: "nearby/accessory/\(name)/report",
            payload: Array(report.utf8),
            qualityOfService: .atMostOnce
        )
    }

    /// Waits for a moment, reads and writes.
    func turn() {
        var interest: Poller.Readiness = client.wantsRead ? .readable : []
        if client.wantsWrite { interest.insert(.writable) }
        poller.set(socket, to: client.descriptor, for: interest)
        _ = try? poller.wait(nanoseconds: 20_000_000)
        do {
            _ = try client.read()
            try client.write()
            try client.maintain()
        } catch {
            isConnected = false
            isOver = true
        }
        if client.descriptor < 0 { isOver = true }
    }

    func mosquittoClient(_ client: MosquittoClient, didObserve event: MosquittoEvent) {
        if case .connected = event { isConnected = true }
    }

    func mosquittoClient(
        _ client: MosquittoClient,
        didReceiveMessageOn topic: borrowing Span<UInt8>,
        payload: borrowing Span<UInt8>,
        attributes: MessageAttributes
    ) {}
}
