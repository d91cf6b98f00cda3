// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

/// A shelf of 2 m, from −30° to 30°, left beyond 2.3 m or 40°.
struct ZoneExplanationTextSectorTests {
    private static func scenario(_ change: (inout ZoneOptions) -> Void = { _ in }) -> Scenario {
        var shelf = ZoneOptions(radius: 2, azimuthFrom: -30, azimuthTo: 30)
        change(&shelf)
        return Scenario(.plain { $0.zones.append(.init(name: "shelf", options: shelf)) })
    }

    private func text(_ explanation: ZoneExplanation) -> String {
        // 2025-11-30 14:02 UTC.
        ZoneExplanationText(explanation, WallTime(origin: 1_764_511_320_000_000_000)).sentence
    }

    private func stay(_ scenario: inout Scenario, at distance: Double, _ azimuth: Double?, from start: Int, to end: Int)
    {
        for step in start..<end {
            let fields = azimuth.map { #","azimuth":\#($0)"# } ?? ""
            scenario.send(distance, at: Double(step) / 10, fields: fields)
        }
        scenario.run(to: Double(end - 1) / 10)
    }

    @Test(
        arguments: [
            (3.5, 0.0, "outside: 3.50 m is not below 2.00 m; enters below 2.00 m within -30° to 30°"),
            (
                1.8, 50,
                "outside: 1.80 m is below 2.00 m, but 50° is not within -30° to 30°; enters below 2.00 m within -30° to 30°"
            ),
            (
                1.8, nil,
                "unknown: 1.80 m is below 2.00 m, but the last report has no angle, or one of less than 50 % merit; "
                    + "enters below 2.00 m within -30° to 30°"
            ),
            (
                1.8, 12.5,
                "inside since 14:02 UTC: 1.80 m is not beyond 2.30 m and 12.5° is not outside; "
                    + "leaves after 0.2 s beyond 2.30 m or outside -40° to 40°"
            ),
        ] as [(Double, Double?, String)]
    )
    func `people read what distance and angle say`(_ distance: Double, _ azimuth: Double?, _ expected: String) throws {
        var scenario = Self.scenario()
        stay(&scenario, at: distance, azimuth, from: 0, to: 5)
        #expect(text(try scenario.explain(zone: "shelf")) == expected)
    }

    @Test func `who leaves by angle, or has none any more, is told how long it takes`() throws {
        var scenario = Self.scenario { $0.exitHold = .seconds(2) }
        stay(&scenario, at: 1.8, 0, from: 0, to: 10)
        stay(&scenario, at: 1.8, 170, from: 10, to: 20)
        let leaving = text(try scenario.explain(zone: "shelf"))
        #expect(leaving.contains("° is outside -40° to 40°; leaves in 1."), "\(leaving)")
        stay(&scenario, at: 1.8, 0, from: 20, to: 40)
        stay(&scenario, at: 1.8, nil, from: 40, to: 81)
        #expect(
            text(try scenario.explain(zone: "shelf"))
                == "inside since 14:02 UTC: 1.80 m is not beyond 2.30 m, but no angle that counts has come for 4.1 s; "
                + "lost at 10 s"
        )
    }

    @Test func `a hold that an angle has begun is told while none comes`() throws {
        var scenario = Self.scenario { $0.enterHold = .seconds(2) }
        stay(&scenario, at: 1.8, 0, from: 0, to: 10)
        stay(&scenario, at: 1.8, nil, from: 10, to: 15)
        let waiting = text(try scenario.explain(zone: "shelf"))
        #expect(waiting.hasSuffix("; the hold to enter has run 1.3 s of 2 s and waits for a report"), "\(waiting)")
    }

    @Test func `a hold of an outer zone is what a sector waits for`() throws {
        var options = EngineOptions.plain()
        options.zones.append(.init(name: "shelf", options: ZoneOptions(radius: 2, azimuthFrom: -30, azimuthTo: 30)))
        options.zones[1].options.enterHold = .seconds(5)
        var scenario = Scenario(options)
        stay(&scenario, at: 1.8, 0, from: 0, to: 10)
        #expect(text(try scenario.explain(zone: "shelf")).hasSuffix("enters once the zones around it are entered"))
    }

    @Test func `the answer has the sector, the angle, and the angles of the samples`() throws {
        var scenario = Self.scenario()
        stay(&scenario, at: 1.8, 12.5, from: 0, to: 5)
        _ = try scenario.explain(zone: "shelf")
        stay(&scenario, at: 1.8, 12.5, from: 5, to: 10)
        var json = JSONWriter()
        let zones = scenario.engine.options.zones.map(\.name)
        let wall = WallTime(origin: 0)
        ZoneExplanationPayload.write(try scenario.explain(zone: "shelf"), zones: zones, wall, into: &json)
        #expect(JSONText.fault(json.bytes) == nil)
        let object = try #require(JSONText.object(json.bytes))
        #expect(object["azimuth"] as? Double == 12.5)
        #expect(object["azimuth_from"] as? Double == -30 && object["azimuth_to"] as? Double == 30)
        #expect(object["azimuth_hysteresis"] as? Double == 10 && object["azimuth_quality"] as? Double == 50)
        let samples = try #require(object["samples"] as? [[String: Any]])
        #expect(samples.map { $0["azimuth"] as? Double } == Array(repeating: 12.5, count: 5))
        let decisions = try #require(object["decisions"] as? [[String: Any]])
        #expect(decisions.last?["azimuth"] as? Double == 12.5 && decisions.first?["azimuth"] == nil)
    }

    @Test func `replay says which angle it was`() throws {
        var options = Self.scenario().engine.options
        options.lostAfter = .after(.seconds(3))
        var recording = Recording(entries: [])
        let angles: [Double?] =
            Array(repeating: 5, count: 20) + Array(repeating: 60, count: 20) + Array(repeating: 0, count: 20)
            + Array(repeating: nil, count: 60)
        for (step, azimuth) in angles.enumerated() {
            let field = azimuth.map { ",\"azimuth\":\($0)" } ?? ""
            let payload = Array("{\"distance\":1.8\(field)}".utf8)
            let entry = Recording.Entry(time: Double(step) / 10, kind: .report(payload, accessory: "lamp"))
            recording.entries.append(entry)
        }
        var replay = Replay(options: options, name: "recording", explains: true)
        let events = replay.events(of: recording)
        let told = zip(events, replay.explanations).filter { $0.0.zone == "shelf" }
            .map { $0.1.map { EventExplanationText($0).sentence } ?? "" }
        #expect(told.count == 4)
        #expect(told.first == "1.80 m is below 2.00 m and 5° is within -30° to 30°")
        #expect(told.dropFirst().first?.contains("° is outside -40° to 40° for 0.2 s") == true, "\(told)")
        #expect(told.last?.hasPrefix("no angle that counts for 3 s; the last was ") == true, "\(told)")
        #expect(events.first { $0.zone == "shelf" }.map { EventText.describe($0) } == "enter shelf      1.80 m at 5°")
    }
}
