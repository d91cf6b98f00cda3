// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct ServiceTests {
    /// A bridge whose broker does not exist, as a service manager starts it.
    private func start(_ listener: NotifyListener, _ environment: [String] = []) throws -> BridgeProcess {
        try BridgeProcess(
            ["run", "--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=1"],
            environment: ["PATH=/usr/bin:/bin", "NOTIFY_SOCKET=\(listener.path)"] + environment
        )
    }

    @Test("A service is ready although its broker is away, and says that it stops")
    func readyAndStopping() throws {
        let listener = try NotifyListener()
        let bridge = try start(listener)
        #expect(Waiting.until { listener.messages == ["READY=1"] }, "\(listener.messages) \(bridge.log)")
        #expect(bridge.stop() == .exited(status: 0))
        #expect(listener.messages == ["READY=1", "STOPPING=1"])
    }

    @Test("It shows signs of life while its loop turns, and none while it stands still")
    func watchdog() throws {
        let listener = try NotifyListener()
        let bridge = try start(listener, ["WATCHDOG_USEC=200000"])
        #expect(Waiting.until { listener.messages.count { $0 == "WATCHDOG=1" } >= 5 }, "\(bridge.log)")
        bridge.freeze(true)
        Waiting.sleep(milliseconds: 300)
        let count = listener.messages.count
        Waiting.sleep(milliseconds: 500)
        #expect(listener.messages.count == count)
        bridge.freeze(false)
        #expect(Waiting.until { listener.messages.count > count })
    }

    @Test("A reload is announced and its end too")
    func reloading() throws {
        let listener = try NotifyListener()
        let bridge = try start(listener)
        try #require(Waiting.until { listener.messages == ["READY=1"] })
        _ = kill(bridge.identifier, SIGHUP)
        #expect(Waiting.until { listener.messages.count == 3 }, "\(listener.messages) \(bridge.log)")
        #expect(listener.messages.last == "READY=1")
        #expect(listener.messages.dropLast().last?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
        #expect(bridge.isRunning)
    }
}
