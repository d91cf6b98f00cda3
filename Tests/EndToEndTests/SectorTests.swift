// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct SectorTests {
    private struct Told: Decodable {
        var type: String
        var zone: String
        var azimuth: Double?
        var reason: String?
    }

    private struct Answer: Decodable {
        struct Data: Decodable {
            var text: String?
            var state: String?
        }
        var status: String
        var error: String?
        var data: Data?
    }

    /// Reports until so many events have come; `azimuth` is the rest of the report.
    private func report(_ distance: Double, _ fields: String, of site: Site, untilEvents count: Int) throws {
        let topic = site.topic("accessory/lamp/report")
        let isDone = Waiting.until {
            _ = try? site.source.publish(topic, "{\"distance\":\(distance)\(fields)}", qualityOfService: .atMostOnce)
            Waiting.sleep(milliseconds: 100)
            return site.events().count >= count
        }
        try #require(isDone, "\(site.events().map(\.summary))\n\(site.bridge.log)")
    }

    private func ask(_ command: String, _ body: String, of site: Site) throws -> Answer {
        let transaction = "\(UInt32.random(in: 0...UInt32.max))"
        try site.source.publish(
            site.topic("bridge/request/\(command)"),
            "{\"transaction\":\"\(transaction)\",\(body)}"
        )
        let topic = site.topic("bridge/response/\(command)")
        let isAnswered = site.consumer.waitFor { $0.contains { $0.topic == topic && $0.text.contains(transaction) } }
        try #require(isAnswered, "no answer:\n\(site.bridge.log)")
        let answer = site.consumer.messages.last { $0.topic == topic && $0.text.contains(transaction) }
        return try #require(answer).decoded()
    }

    @Test("In front of the shelf, beside it, and told why; other limits by request take effect at once")
    func shelf() throws {
        let site = try Site(
            set: ["zones.shelf.radius=2", "zones.shelf.azimuth.from=-30", "zones.shelf.azimuth.to=30"]
        )
        try report(1.8, ",\"direction\":[-0.087,0.1,-0.996]", of: site, untilEvents: 2)
        try report(1.8, ",\"azimuth\":90", of: site, untilEvents: 3)
        #expect(site.waitForEvents(3).map(\.summary) == ["enter near", "enter shelf", "exit shelf left"])
        let told: [Told] = try site.consumer.messages.filter { $0.topic == site.topic("accessory/lamp/event") }
            .map { try $0.decoded() }
        #expect(told[0].azimuth == nil)
        #expect(told[1].azimuth.map { abs($0 + 5) < 0.5 } == true)
        #expect(told[2].azimuth.map { $0 > 40 && $0 <= 90 } == true)
        #expect(try site.zones() == ["near": "inside", "shelf": "outside", "immediate": "outside"])
        #expect(try site.state().zone == "near")

        let why = try ask("zone/explain", "\"accessory\":\"lamp\",\"zone\":\"shelf\"", of: site)
        #expect(why.data?.state == "outside")
        #expect(why.data?.text?.contains("is not within -30° to 30°") == true, "\(why.data?.text ?? "")")

        let wrong = try ask("zone/options", "\"zone\":\"shelf\",\"options\":{\"azimuth\":{\"from\":200}}", of: site)
        #expect(wrong.status == "error")
        #expect(wrong.error?.hasPrefix("options.azimuth.from: ") == true, "\(wrong.error ?? "")")
        let wider = try ask(
            "zone/options",
            "\"zone\":\"shelf\",\"options\":{\"azimuth\":{\"from\":45,\"to\":135}}",
            of: site
        )
        #expect(wider.status == "ok", "\(wider.error ?? "")")
        try report(1.8, ",\"azimuth\":90", of: site, untilEvents: 4)
        #expect(site.waitForEvents(4).last?.summary == "enter shelf")
    }

    @Test("Without angles the shelf's stay is lost, and nothing else is")
    func withoutAngles() throws {
        let site = try Site(
            set: [
                "zones.shelf.radius=2", "zones.shelf.azimuth.from=-30", "zones.shelf.azimuth.to=30",
                "zones.shelf.lost_after=1s",
            ]
        )
        try report(1.8, ",\"azimuth\":0", of: site, untilEvents: 2)
        try report(1.8, "", of: site, untilEvents: 3)
        #expect(site.waitForEvents(3).map(\.summary) == ["enter near", "enter shelf", "exit shelf lost"])
        #expect(try site.zones()["shelf"] == "unknown")
        #expect(try site.zones()["near"] == "inside")
    }
}
