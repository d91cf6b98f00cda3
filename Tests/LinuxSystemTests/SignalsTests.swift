// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Testing

@Suite("Signals")
struct SignalsTests {
    @Test("come as values, in place of the end of the process")
    func values() throws {
        let seen = Locked<[Signals.Signal?]>([])
        // Blocked and sent to this thread only: the test process has others.
        let thread = try Thread(name: "signals") {
            guard let signals = try? Signals() else { return }
            var poller = Poller()
            _ = poller.add(signals.descriptor)
            for number in [SIGTERM, SIGHUP, SIGINT] {
                _ = pthread_kill(pthread_self(), number)
                _ = try? poller.wait(timeout: .seconds(30))
                let signal = signals.next()
                seen.withLock { $0.append(signal) }
            }
            let none = signals.next()
            seen.withLock { $0.append(none) }
        }
        thread.join()
        #expect(seen.withLock { $0 } == [.terminate, .hangUp, .interrupt, nil])
    }

    @Test("let a broken pipe be an error")
    func brokenPipe() {
        Signals.ignoreBrokenPipe()
        var ends: [Int32] = [-1, -1]
        _ = unsafe pipe(&ends)
        _ = close(ends[0])
        #expect(unsafe write(ends[1], "x", 1) == -1)
        #expect(errno == EPIPE)
        _ = close(ends[1])
    }
}
