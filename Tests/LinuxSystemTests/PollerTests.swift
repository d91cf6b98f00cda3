// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Testing

@Suite("A Poller")
struct PollerTests {
    /// A pipe that closes with the scope.
    private final class Pipe {
        var reader: Int32 = -1
        var writer: Int32 = -1

        init() {
            var ends: [Int32] = [-1, -1]
            _ = unsafe pipe(&ends)
            (reader, writer) = (ends[0], ends[1])
        }

        func closeWriter() {
            _ = close(writer)
            writer = -1
        }

        deinit {
            _ = close(reader)
            if writer >= 0 { _ = close(writer) }
        }
    }

    @Test("tells readable, writable and hung up apart")
    func readiness() throws {
        let pipe = Pipe()
        var poller = Poller()
        let reader = poller.add(pipe.reader)
        let writer = poller.add(pipe.writer, for: .writable)
        #expect(try poller.wait(timeout: .zero) == 1)
        #expect(poller.readiness(of: reader) == [])
        #expect(poller.readiness(of: writer) == .writable)
        _ = unsafe write(pipe.writer, "x", 1)
        #expect(try poller.wait(timeout: nil) == 2)
        #expect(poller.readiness(of: reader) == .readable)
        pipe.closeWriter()
        poller.set(writer, to: -1)
        #expect(try poller.wait(timeout: .seconds(10)) == 1)
        #expect(poller.readiness(of: reader) == [.readable, .hangUp])
        #expect(poller.readiness(of: writer) == [])
    }

    @Test("reports a closed descriptor as an error")
    func invalid() throws {
        var poller = Poller()
        let slot = poller.add(1_000_000)
        #expect(try poller.wait(timeout: nil) == 1)
        #expect(poller.readiness(of: slot) == .error)
    }

    @Test("waits as long as it is told and not shorter", arguments: [Duration.milliseconds(3), .microseconds(700)])
    func timeout(_ duration: Duration) throws {
        var poller = Poller()
        _ = poller.add()
        let start = MonotonicClock.now()
        #expect(try poller.wait(timeout: duration) == 0)
        #expect(MonotonicClock.now() - start >= duration.components.attoseconds / 1_000_000_000)
        #expect(try poller.wait(timeout: .seconds(-1)) == 0)
    }

    @Test("understands a century and more as no limit")
    func longTimeouts() throws {
        let pipe = Pipe()
        _ = unsafe write(pipe.writer, "x", 1)
        var poller = Poller()
        _ = poller.add(pipe.reader)
        #expect(try poller.wait(timeout: .seconds(Int64.max)) == 1)
        #expect(try poller.wait(nanoseconds: .max) == 1)
    }

    @Test("watches descriptors that select cannot")
    func highDescriptor() throws {
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 8192)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let pipe = Pipe()
        try #require(dup2(pipe.reader, 2000) == 2000)
        defer { _ = close(2000) }
        _ = unsafe write(pipe.writer, "x", 1)
        var poller = Poller()
        let slot = poller.add(2000)
        #expect(try poller.wait(timeout: .seconds(10)) == 1)
        #expect(poller.readiness(of: slot) == .readable)
    }

    @Test("goes on waiting after a signal")
    func interruption() throws {
        let wakeUp = try WakeUp()
        let identifier = Locked<pthread_t?>(nil)
        let result = Locked<Int?>(nil)
        _ = signal(SIGUSR2) { _ in }
        let thread = try Thread(name: "waiter") {
            identifier.withLock { $0 = pthread_self() }
            var poller = Poller()
            _ = poller.add(wakeUp.descriptor)
            let count = try? poller.wait(timeout: .seconds(60))
            result.withLock { $0 = count }
        }
        while identifier.withLock({ $0 }) == nil { _ = usleep(1000) }
        for _ in 0..<5 {
            _ = usleep(2000)
            if let waiter = identifier.withLock({ $0 }) { _ = pthread_kill(waiter, SIGUSR2) }
        }
        #expect(result.withLock { $0 } == nil)
        wakeUp.signal()
        thread.join()
        #expect(result.withLock { $0 } == 1)
    }
}
