// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct RequestTests {
    @Test("Health is answered with the transaction it was asked with")
    func health() throws {
        let site = try Site()
        try site.report(2.0)
        try site.source.publish("nearby/bridge/request/health", "{\"transaction\":\"t-1\"}")
        let message = try site.consumer.message(on: "nearby/bridge/response/health")
        #expect(KeyOrder.isSorted(message.payload))
        #expect(!message.isRetained)
        let answer: Answer = try message.decoded()
        #expect(answer.status == "ok")
        #expect(answer.transaction == "t-1")
        #expect(answer.data?.accessories == 1)
        #expect(answer.data?.reports == 1)
        #expect(try site.retained()["nearby/bridge/response/health"] == nil)
    }

    @Test("An unknown request is answered with an error that names it")
    func unknown() throws {
        let site = try Site()
        try site.source.publish("nearby/bridge/request/teleport", "{\"transaction\":\"t-2\"}")
        let answer: Answer = try site.consumer.message(on: "nearby/bridge/response/teleport").decoded()
        #expect(answer.status == "error")
        #expect(answer.error?.contains("teleport") == true)
        #expect(answer.transaction == "t-2")
    }

    @Test("MQTT 5 names another place for the answer and data to send along")
    func responseTopic() throws {
        let site = try Site()
        try site.consumer.subscribe("elsewhere/#")
        try site.source.publish(
            "nearby/bridge/request/health",
            "",
            responseTopic: "elsewhere/answers",
            correlationData: [0, 1, 254, 255]
        )
        let message = try site.consumer.message(on: "elsewhere/answers")
        #expect(message.correlationData == [0, 1, 254, 255])
        #expect(try message.decoded(Answer.self).status == "ok")
        #expect(!site.consumer.messages.contains { $0.topic == "nearby/bridge/response/health" })
    }

    @Test(
        "A place for the answer where only the bridge or an accessory may speak is not honoured",
        arguments: [
            "nearby/accessory/lamp/report", "nearby/accessory/lamp/event", "nearby/bridge/state",
            "nearby/bridge/request/health",
        ]
    )
    func forbiddenResponseTopic(_ topic: String) throws {
        let site = try Site()
        try site.source.publish("nearby/bridge/request/health", "", responseTopic: topic, correlationData: [7])
        let answer = try site.consumer.message(on: "nearby/bridge/response/health")
        #expect(answer.correlationData == [7])
        Waiting.sleep(milliseconds: 300)
        // The question itself bears the data too.
        let isQuestion = topic == "nearby/bridge/request/health"
        let count = site.consumer.messages.count { $0.topic == topic && $0.correlationData == [7] }
        #expect(count == (isQuestion ? 1 : 0))
        #expect(site.consumer.messages.count { $0.topic == "nearby/bridge/response/health" } == 1)
    }
}
