// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct StoppingTests {
    enum Ending: CaseIterable {
        case terminate
        case interrupt
    }

    @Test("Asked to stop, the bridge says so, leaves no will behind and exits with 0", arguments: Ending.allCases)
    func asked(_ ending: Ending) throws {
        let site = try Site()
        try site.report(1.0, for: 0.5)
        let status = ending == .terminate ? site.bridge.stop() : site.bridge.interrupt()
        #expect(status == .exited(status: 0))
        #expect(try site.retained()["nearby/bridge/state"] == "{\"state\":\"stopped\"}")
        #expect(site.bridge.logLines.last?.hasSuffix("stopped") == true)
        Waiting.sleep(milliseconds: 300)
        #expect(!site.consumer.messages.contains { $0.topic == "nearby/bridge/state" && $0.text.contains("offline") })
    }

    @Test("Killed, the broker says offline for it; started again, it says online again")
    func killed() throws {
        let site = try Site()
        site.bridge.kill()
        let isOffline = site.consumer.waitFor { messages in
            messages.contains { $0.topic == "nearby/bridge/state" && $0.text == "{\"state\":\"offline\"}" }
        }
        #expect(isOffline)
        #expect(try site.retained()["nearby/bridge/state"] == "{\"state\":\"offline\"}")
        try site.restartBridge()
        #expect(try site.retained()["nearby/bridge/state"] == "{\"state\":\"online\"}")
    }

    @Test("Without a broker it waits, and stops at once when asked")
    func withoutBroker() throws {
        // A free port might be given to another test's broker meanwhile; on this one nobody listens.
        let bridge = try BridgeProcess(["run", "--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=1"])
        #expect(Waiting.until { bridge.log.contains("trying again") })
        #expect(bridge.isRunning)
        let begin = MonotonicClock.now()
        #expect(bridge.stop() == .exited(status: 0))
        print("stopped without a broker in \((MonotonicClock.now() - begin) / 1_000_000) ms")
        #expect(bridge.logLines.count { $0.contains("trying again") } == 1, "\(bridge.log)")
    }
}
