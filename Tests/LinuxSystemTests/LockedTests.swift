// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

@Suite("A locked value")
struct LockedTests {
    @Test("is touched by one thread at a time")
    func exclusion() throws {
        let count = Locked(0)
        let threads = try (0..<4).map { number in
            try Thread(name: "adder \(number)") {
                for _ in 0..<10_000 { count.withLock { $0 += 1 } }
            }
        }
        for thread in threads { thread.join() }
        #expect(count.withLock { $0 } == 40_000)
    }

    @Test("is unlocked again after an error")
    func error() {
        struct Problem: Error {}
        let value = Locked("a")
        #expect(throws: Problem.self) {
            try value.withLock { value throws(Problem) in
                value = "b"
                throw Problem()
            }
        }
        #expect(value.withLock { $0 } == "b")
    }
}
