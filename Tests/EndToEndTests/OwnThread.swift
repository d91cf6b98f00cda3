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
        try await withTaskExecutorPreference(ThreadPerJob.shared) { try await function() }
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
