// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The one thread that forks, alive as long as the process.
final class SpawnThread: Sendable {
    private struct Job {
        let body: @Sendable () -> Int32
        let result: Locked<Int32?>
        let isDone: WakeUp
    }

    static let shared = SpawnThread()

    private let jobs = Locked<[Job]>([])
    private let thread = Locked<(thread: Thread, wakeUp: WakeUp)?>(nil)

    /// Runs `body` there and waits for its result.
    func run(_ body: @escaping @Sendable () -> Int32) throws(SystemError) -> Int32 {
        let job = Job(body: body, result: Locked(nil), isDone: try WakeUp())
        jobs.withLock { $0.append(job) }
        try start().signal()
        var poller = Poller()
        _ = poller.add(job.isDone.descriptor)
        while true {
            try poller.wait(timeout: nil)
            if let result = job.result.withLock({ $0 }) { return result }
        }
    }

    private func start() throws(SystemError) -> WakeUp {
        try thread.withLock { (running) throws(SystemError) in
            if let running { return running.wakeUp }
            let wakeUp = try WakeUp()
            let thread = try Thread(name: "spawn") { [self] in work(wakeUp) }
            running = (thread, wakeUp)
            return wakeUp
        }
    }

    private func work(_ wakeUp: WakeUp) {
        var poller = Poller()
        _ = poller.add(wakeUp.descriptor)
        while true {
            // A failing poll (no memory) only means trying again.
            _ = try? poller.wait(timeout: nil)
            wakeUp.drain()
            let taken = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            for job in taken {
                let value = job.body()
                job.result.withLock { $0 = value }
                job.isDone.signal()
            }
        }
    }
}
