// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct RubbishTests {
    /// Lets another accessory walk in and out meanwhile, and proves that it was not disturbed.
    private func besideAWalk(on site: Site, _ body: () throws -> Void) throws {
        let port = site.broker.port
        let neighbour = try Thread(name: "neighbour") {
            guard let client = try? MQTTTestClient(port: port, clientIdentifier: "neighbour") else { return }
            for step in 0..<60 {
                let distance = step < 30 ? 1.0 : 4.0
                _ = try? client.publish("nearby/accessory/good/report", "{\"distance\":\(distance)}")
                Waiting.sleep(milliseconds: 100)
            }
        }
        try body()
        neighbour.join()
        #expect(
            site.waitForEvents(4, of: "good").map(\.summary)
                == ["enter near", "enter immediate", "exit immediate left", "exit near left"]
        )
    }

    /// Everything that may stand in a report by accident or malice.
    private static var payloads: [[UInt8]] {
        let report = Array("{\"distance\":1.25,\"quality\":0.5,\"timestamp\":1700000000.5}".utf8)
        var payloads: [[UInt8]] = [[]]
        for position in report.indices {
            payloads.append(Array(report[..<position]))
            for mask: UInt8 in [0x01, 0x20, 0x80, 0xFF] {
                var flipped = report
                flipped[position] ^= mask
                payloads.append(flipped)
            }
        }
        let texts = [
            "{\"distance\":1e999}", "{\"distance\":-1e999}", "{\"distance\":1e-999}", "{\"distance\":NaN}",
            "{\"distance\":\"1.2\"}", "{\"distance\":null}", "{\"distance\":{}}", "{\"distance\":-3}", "[]", "{}",
            "null",
            "{\"distance\":1,\"seq\":99999999999999999999}", "{\"distance\":1,\"timestamp\":1e308}",
            "{\"distance\":1,\"timestamp\":\"yesterday\"}", "{\"distance\":1,\"peer\":\"\"}",
            "{\"distance\":1,\"peer\":\"a/b\"}", "{\"distance\":1,\"peer\":\"#\"}", "{\"distance\":1}{\"distance\":2}",
            "{\"distance\":1,\"distance\":2}", "{\"reports\":{}}", "offline", "\u{FEFF}{\"distance\":1}",
            String(repeating: "[", count: 20_000), String(repeating: "{\"a\":", count: 10_000),
            "{\"distance\":" + String(repeating: "9", count: 60_000) + "}",
        ]
        payloads += texts.map { Array($0.utf8) }
        payloads.append([0xFF, 0xFE, 0x00])
        payloads.append(Array("{\"peer\":\"".utf8) + [0xC3, 0x28] + Array("\",\"distance\":1}".utf8))
        payloads += [[UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20), [UInt8](repeating: 0, count: 1 << 20)]
        return payloads
    }

    @Test("Rubbish in reports costs one line and some counts; the neighbour walks on")
    func reports() throws {
        let site = try Site(listeningTo: "+/+/#")
        let before = try #require(site.bridge.descriptors)
        try besideAWalk(on: site) {
            for payload in Self.payloads { try site.source.publish("nearby/accessory/junk/report", bytes: payload) }
        }
        let health = try site.health()
        #expect(site.bridge.isRunning)
        #expect(try #require(health.dropped["malformed"]) > 100)
        #expect(health.dropped["too_large"] == 2)
        #expect(try #require(health.dropped["no_measurement"]) > 0)
        let lines = site.bridge.logLines.filter { $0.contains("junk") && $0.contains("warning") }
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.first?.contains("report not understood") == true)
        #expect(site.bridge.logLines.count < 20, "\(site.bridge.log)")
        #expect(site.bridge.descriptors == before)
        // The accessory itself is not spoilt by what it sent.
        site.consumer.forgetMessages()
        try site.report(0.5, for: 1.5, of: "junk")
        #expect(Waiting.until { (try? site.zones(of: "junk")) == ["near": "inside", "immediate": "inside"] })
        print("rubbish: \(Self.payloads.count) payloads, dropped \(health.dropped)")
    }

    private static let improper = [
        "", " ", "a b", "ä", "*", "$SYS", "%2B", "a\\b", "\"", "<script>", String(repeating: "x", count: 65),
        String(repeating: "y", count: 30_000),
    ]

    @Test("Improper identifiers are refused one by one with an event and a line each")
    func identifiers() throws {
        let site = try Site()
        try besideAWalk(on: site) {
            for _ in 0..<20 {
                for identifier in Self.improper {
                    try site.source.publish("nearby/accessory/\(identifier)/report", "{\"distance\":1}")
                }
            }
        }
        let notices = site.consumer.messages.filter { $0.topic == "nearby/bridge/event" && $0.text.contains("refused") }
        #expect(notices.count == Self.improper.count)
        for notice in notices {
            #expect(KeyOrder.isSorted(notice.payload))
            #expect(notice.text.contains("\"reason\":\"invalid_identifier\""))
            #expect(notice.payload.count < 300)
        }
        let health = try site.health()
        #expect(health.dropped["refused_accessory"] == 20 * Self.improper.count)
        #expect(health.accessories == 1)
        let lines = site.bridge.logLines.filter { $0.contains("refused") }
        #expect(lines.count == Self.improper.count)
        let topics = try site.retained().keys.filter { $0.contains("/accessory/") }
        #expect(topics.allSatisfy { $0.hasPrefix("nearby/accessory/good/") })
    }

    @Test("A flood of strangers with improper names floods neither the log nor bridge/event")
    func flood() throws {
        let site = try Site()
        let begin = MonotonicClock.now()
        try besideAWalk(on: site) {
            for number in 0..<5000 {
                try site.source.publish("nearby/accessory/no \(number)/report", "", qualityOfService: .atMostOnce)
            }
        }
        #expect(try site.health().dropped["refused_accessory"] == 5000)
        let seconds = Int((MonotonicClock.now() - begin) / 1_000_000_000) + 2
        #expect(site.bridge.logLines.count { $0.contains("refused") } <= 20 * seconds)
        #expect(site.consumer.messages.count { $0.topic == "nearby/bridge/event" } <= 100 * seconds)
    }

    @Test("An availability that is no word of ours is counted, and a cleared one is not")
    func availability() throws {
        let site = try Site()
        for word in ["ONLINE", "online\n", "", "{}"] {
            try site.source.publish("nearby/accessory/lamp/availability", word)
        }
        let isCounted = Waiting.until { (try? site.health().dropped["malformed_message"]) == 3 }
        #expect(isCounted, "\(site.bridge.log)")
    }

    @Test("Rubbish in requests is answered or ignored, and the next request is answered")
    func requests() throws {
        let site = try Site()
        let names = ["health", "", "a/b/c", "ü", "health/", "accessory/start", String(repeating: "z", count: 20_000)]
        let payloads = Self.payloads.filter { $0.count < 2_000 }.prefix(60) + Self.payloads.suffix(6)
        try besideAWalk(on: site) {
            for name in names {
                for payload in payloads { try site.source.publish("nearby/bridge/request/\(name)", bytes: payload) }
            }
            let text = "{\"transaction\":" + String(repeating: "[", count: 30_000)
            try site.source.publish("nearby/bridge/request/health", text)
            try site.source.publish("nearby/bridge/request/health", "{\"transaction\":{\"a\":1}}")
        }
        #expect(site.bridge.isRunning)
        #expect(try site.health("after the rubbish").accessories == 1)
        for message in site.consumer.messages where message.topic.contains("/response/") {
            #expect(KeyOrder.isSorted(message.payload))
        }
        #expect(site.bridge.logLines.count < 20, "\(site.bridge.log)")
    }

    @Test("A retained request is not carried out again at the next start")
    func retainedRequest() throws {
        let site = try Site()
        try site.source.publish("nearby/bridge/request/health", "{\"transaction\":\"old\"}", isRetained: true)
        let isAnswered = site.consumer.waitFor { messages in
            messages.contains { $0.topic == "nearby/bridge/response/health" && $0.text.contains("\"old\"") }
        }
        #expect(isAnswered, "for the bridge that runs it is a request like any other")
        site.bridge.stop()
        try site.restartBridge()
        _ = try site.health()
        #expect(!site.consumer.messages.contains { $0.topic.contains("/response/") && $0.text.contains("\"old\"") })
    }
}
