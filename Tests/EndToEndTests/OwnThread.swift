// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

/// Runs each test on threads of its own: tests that wait for processes would starve the few threads of the pool.
struct OwnThread: TestTrait, SuiteTrait, TestScoping {
    /// Each test and each of its arguments, not the suite as a whole.
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        await Turnstile.shared.enter()
        do {
            try await withTaskExecutorPreference(ThreadPerJob.shared) { try await function() }
        } catch {
            await Turnstile.shared.leave()
            throw error
        }
        await Turnstile.shared.leave()
    }
}

/// Lets in a dozen tests at a time.
///
/// Two hundred brokers and bridges that start at once keep two cores busy for longer than what the tests are about: a
/// source that cannot report for ten seconds is lost.
private actor Turnstile {
    static let shared = Turnstile()

    private var free = 12
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

extension Trait where Self == OwnThread {
    /// Runs each test on threads of its own.
    static var onItsOwnThread: Self { OwnThread() }
}

/// Starts a thread for every piece of work.
final class ThreadPerJob: TaskExecutor {
    static let shared = ThreadPerJob()

    func enqueue(_ job: consuming ExecutorJob) {
        let work = UnownedJob(job)
        do {
            _ = try Thread(name: "test", stackBytes: 8 << 20) {
                unsafe work.runSynchronously(on: ThreadPerJob.shared.asUnownedTaskExecutor())
            }
        } catch {
            fatalError("no thread for a test: \(error)")
        }
    }
}
