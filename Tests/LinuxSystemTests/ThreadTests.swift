// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

@Suite("A Thread")
struct ThreadTests {
    @Test("runs its body once, under its name")
    func run() throws {
        let seen = Locked<[String]>([])
        let thread = try Thread(name: "a name that is much too long") {
            let bytes = (try? TextFile.read("/proc/thread-self/comm", maximumBytes: 100)) ?? []
            seen.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
        }
        thread.join()
        thread.join()
        #expect(seen.withLock { $0 } == ["a name that is \n"])
    }

    @Test("has room for deep calls")
    func stack() throws {
        @Sendable func depth(_ level: Int) -> Int {
            level == 0 ? 0 : withExtendedLifetime([level]) { depth(level - 1) + 1 }
        }
        let result = Locked(0)
        try Thread(name: "deep") { result.withLock { $0 = depth(1000) } }.join()
        #expect(result.withLock { $0 } == 1000)
    }

    @Test("runs to its end although nobody waits")
    func detached() throws {
        let wakeUp = try WakeUp()
        do { _ = try Thread(name: "alone") { wakeUp.signal() } }
        var poller = Poller()
        _ = poller.add(wakeUp.descriptor)
        #expect(try poller.wait(timeout: .seconds(30)) == 1)
    }

    @Test("that cannot be had is an error")
    func failure() {
        let error = #expect(throws: SystemError.self) { try Thread(name: "huge", stackBytes: 1 << 60) {} }
        #expect(error?.operation == "start thread huge")
    }
}
