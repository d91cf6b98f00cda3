// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

@Suite("Messages of a MosquittoClient")
struct MosquittoClientMessagesTests {
    @Test("to topics that are none are refused", arguments: ["", "a/+", "#", "a\u{0}b", "a\u{7}"])
    func invalidTopics(_ topic: String) throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port))
        try driver.start()
        let error = #expect(throws: MosquittoError.self) {
            try driver.client.publish(topic: topic, payload: [1], qualityOfService: .atLeastOnce)
        }
        #expect(error?.kind == .invalidTopic)
        #expect(error?.isRetryable == false)
        #expect(driver.client.isConnected)
    }

    @Test("too large for the broker are refused, and the connection stays")
    func tooLarge() throws {
        let broker = try MosquittoProcess(extra: ["max_packet_size 2000"])
        let driver = try ClientDriver(.local(broker.port))
        try driver.start()
        let error = #expect(throws: MosquittoError.self) {
            try driver.client.publish(
                topic: "a",
                payload: [UInt8](repeating: 0, count: 3000),
                qualityOfService: .atLeastOnce
            )
        }
        #expect(error?.kind == .payloadTooLarge)
        #expect(try driver.subscribe(["x"]) == [1])
    }

    @Test("carry what an answer needs, on MQTT 5 only", arguments: [Version.v311, .v5])
    func requestProperties(_ version: Version) throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port, version: version))
        var seen: (response: [UInt8]?, correlation: [UInt8]?)
        driver.onMessage = { client, _ in seen = (client.currentResponseTopic, client.currentCorrelationData) }
        try driver.start()
        _ = try driver.subscribe(["ask"])
        try driver.client.publish(
            topic: "ask",
            payload: [1],
            qualityOfService: .atLeastOnce,
            messageExpiry: 60,
            responseTopic: "answer/here",
            correlationData: [0, 1, 2]
        )
        try driver.run { !driver.messages.isEmpty }
        #expect(seen.response == (version == .v5 ? Array("answer/here".utf8) : nil))
        #expect(seen.correlation == (version == .v5 ? [0, 1, 2] : nil))
        #expect(driver.attributes.first?.hasProperties == (version == .v5))
        #expect(driver.client.currentResponseTopic == nil)
    }

    @Test("carry user properties, on MQTT 5 only", arguments: [Version.v311, .v5])
    func userProperties(_ version: Version) throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port, version: version))
        try driver.start()
        try driver.client.publish(
            topic: "x",
            payload: Array("x".utf8).span,
            qualityOfService: .atLeastOnce,
            isRetained: true,
            userProperties: [UserProperty("peer", "alice"), UserProperty("peer", "")]
        )
        _ = try driver.subscribe(["x"])
        try driver.run { !driver.messages.isEmpty }
        let subscriber = "mosquitto_sub -h 127.0.0.1 -p \(broker.port) -V 5 -t x -C 1 -W 10 -F '%P'"
        let expected = version == .v5 ? "peer:alice peer:" : ""
        let comparison = try ChildProcess(["bash", "-c", "test \"$(\(subscriber))\" = '\(expected)'"])
        #expect(comparison.wait() == .exited(status: 0))
        guard version == .v5 else { return }
        let endless = UserProperty("peer", String(repeating: "x", count: 70_000))
        #expect(throws: MosquittoError.self) {
            try driver.client.publish(
                topic: "x",
                payload: Array("x".utf8).span,
                qualityOfService: .atLeastOnce,
                userProperties: [endless]
            )
        }
    }

    @Test("that are retained come with the subscription unless it does not want them")
    func retainHandling() throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port))
        try driver.start()
        try driver.client.publish(topic: "r", payload: [0x78], qualityOfService: .atLeastOnce, isRetained: true)
        try driver.client.subscribe(["r"], qualityOfService: .atLeastOnce, retainHandling: .never)
        try driver.client.publish(topic: "r", payload: [0x79], qualityOfService: .atLeastOnce)
        try driver.run { !driver.messages.isEmpty }
        #expect(driver.messages == ["r y"])
        _ = try driver.subscribe(["r"])
        try driver.run { driver.messages.count == 2 }
        #expect(driver.messages == ["r y", "r x"])
        #expect(driver.attributes.map(\.isRetained) == [false, true])
        #expect(driver.attributes.map(\.qualityOfService) == [1, 1])
    }

    @Test("of our own are left out when asked")
    func ignoresOwn() throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port))
        try driver.start()
        try driver.client.subscribe(["x"], qualityOfService: .atLeastOnce, ignoresOwn: true)
        _ = try driver.subscribe(["y"])
        for topic in ["x", "y"] {
            try driver.client.publish(topic: topic, payload: [0x31], qualityOfService: .atLeastOnce)
        }
        try driver.run { !driver.messages.isEmpty }
        #expect(driver.messages == ["y 1"])
    }

    @Test("stop after the end of the subscription")
    func unsubscribe() throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port))
        try driver.start()
        _ = try driver.subscribe(["x", "y"])
        let id = try driver.client.unsubscribe(["x"])
        try driver.run { driver.events.contains(.unsubscribed(messageID: id)) }
        for topic in ["x", "y"] {
            try driver.client.publish(topic: topic, payload: [0x31], qualityOfService: .atLeastOnce)
        }
        try driver.run { !driver.messages.isEmpty }
        #expect(driver.messages == ["y 1"])
    }

    @Test("to filters that are none are refused")
    func invalidFilters() throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port))
        try driver.start()
        for filters in [[], ["a", "a#"], ["$share//x"]] {
            let error = #expect(throws: MosquittoError.self) {
                try driver.client.subscribe(filters, qualityOfService: .atMostOnce)
            }
            #expect(error?.kind == .invalidTopic)
        }
    }

    @Test("survive a broker that restarts with its data")
    func restart() throws {
        let broker = try MosquittoProcess(persistence: true)
        let first = try MQTTTestClient(port: broker.port, clientIdentifier: "first")
        try first.publish("kept", "value", isRetained: true)
        try broker.restart()
        let second = try MQTTTestClient(port: broker.port, clientIdentifier: "second")
        try second.subscribe("kept")
        #expect(try second.message(on: "kept").text == "value")
        try broker.restart(keepingData: false)
        let third = try MQTTTestClient(port: broker.port, clientIdentifier: "third")
        try third.subscribe("kept", "end")
        try third.publish("end", "")
        _ = try third.message(on: "end")
        #expect(!third.messages.contains { $0.topic == "kept" })
    }
}
