// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct DemoTests {
    @Test("The demo prints events for as long as asked and leaves nothing behind")
    func duration() throws {
        let demo = try BridgeProcess(["demo", "--duration", "15s"])
        #expect(Waiting.until { demo.children.count == 1 })
        let broker = try #require(demo.children.first)
        #expect(demo.wait() == .exited(status: 0), "\(demo.log)")
        #expect(!BridgeProcess.isRunning(broker))
        #expect(demo.output.contains("enter near"), "\(demo.output)")
        #expect(demo.output.contains("session_started  run 1"), "\(demo.output)")
        #expect(demo.output.contains("session_timeout  stage start"), "\(demo.output)")
        #expect(demo.output.contains("session_retry  attempt 1 of 5, rerun"), "\(demo.output)")
        #expect(demo.output.contains("session_started  run 2"), "\(demo.output)")
        #expect(demo.output.contains("everything is ended"))
        #expect(demo.log.isEmpty, "\(demo.log)")
        #expect(!demo.output.contains("\u{1B}["), "colour goes to terminals only")
    }

    @Test("Ctrl-C ends the demo in order")
    func interrupted() throws {
        let demo = try BridgeProcess(["demo"])
        try #require(Waiting.until { demo.output.contains("mosquitto_sub") && demo.children.count == 1 })
        let broker = try #require(demo.children.first)
        #expect(demo.interrupt() == .exited(status: 0))
        #expect(!BridgeProcess.isRunning(broker))
        #expect(demo.output.contains("everything is ended"))
        #expect(demo.log.isEmpty, "\(demo.log)")
    }

    @Test("Killed, the demo takes its broker with it")
    func killed() throws {
        let demo = try BridgeProcess(["demo"])
        try #require(Waiting.until { demo.output.contains("mosquitto_sub") && demo.children.count == 1 })
        let broker = try #require(demo.children.first)
        demo.kill()
        #expect(Waiting.until { !BridgeProcess.isRunning(broker) })
    }
}
