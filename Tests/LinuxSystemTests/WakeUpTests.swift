// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import Testing

@Suite("A WakeUp")
struct WakeUpTests {
    @Test("stays signalled until it is drained")
    func signalAndDrain() throws {
        let wakeUp = try WakeUp()
        var poller = Poller()
        _ = poller.add(wakeUp.descriptor)
        #expect(try poller.wait(timeout: .zero) == 0)
        #expect(!wakeUp.drain())
        for _ in 0..<3 { wakeUp.signal() }
        #expect(try poller.wait(timeout: .zero) == 1)
        #expect(wakeUp.drain())
        #expect(try poller.wait(timeout: .zero) == 0)
    }

    @Test("wakes a sleeping thread from another")
    func crossThread() throws {
        let wakeUp = try WakeUp()
        let thread = try Thread(name: "signaller") { wakeUp.signal() }
        var poller = Poller()
        _ = poller.add(wakeUp.descriptor)
        #expect(try poller.wait(timeout: nil) == 1)
        thread.join()
    }
}
