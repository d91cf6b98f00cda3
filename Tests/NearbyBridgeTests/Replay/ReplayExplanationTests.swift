// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct ReplayExplanationTests {
    /// Two seconds far, three near, and then nothing until a last report half a minute later.
    private static let distances: [(time: Double, distance: Double)] =
        (0..<50).map { (Double($0) / 10, $0 < 20 ? 4.0 : 1.0) } + [(40, 4)]

    private func check(_ events: [ZoneEvent], _ explanations: [EventExplanation?]) throws {
        #expect(events.count == 4 && explanations.count == 4)
        for (event, explanation) in zip(events, explanations) {
            let explanation = try #require(explanation, "\(event)")
            #expect(explanation.decision.at == event.at)
            #expect(!explanation.samples.isEmpty)
            #expect(explanation.samples.allSatisfy { $0.at <= event.at })
        }
        let enter = try #require(explanations[0])
        #expect(EventExplanationText(enter).sentence == "1.00 m is below 3.00 m")
        #expect(enter.samples.last?.verdict == .seeded && enter.samples.dropLast().last?.verdict == .gated)
        #expect(EventExplanationText(enter).lines.count == 1 + EventExplanationText.shownSamples)
        let lost = try #require(explanations[3])
        #expect(EventExplanationText(lost).sentence == "no report for 10 s; the last said 1.00 m")
        #expect(lost.samples.last?.at == Replay.instant(4.9), "the report that came later has nothing to do with it")
    }

    @Test func `each event of a walk is explained by what came before it`() throws {
        let samples = Self.distances.map { Walk.Sample(time: $0.time, measured: $0.distance, truth: nil) }
        var replay = Replay(options: EngineOptions(), name: "walk", explains: true)
        let events = replay.events(of: Walk(name: "walk", samples: samples))
        try check(events, replay.explanations)
        // A second walk through the same replay has its own.
        let more = replay.events(of: Walk(name: "walk", samples: []))
        #expect(more.isEmpty)
    }

    @Test func `so is each event of a recording`() throws {
        var recording = Recording(entries: [])
        for (time, distance) in Self.distances {
            let payload = Array("{\"distance\":\(distance)}".utf8)
            recording.entries.append(Recording.Entry(time: time, kind: .report(payload, accessory: "lamp")))
        }
        var replay = Replay(options: EngineOptions(), name: "recording", explains: true)
        let events = replay.events(of: recording)
        try check(events, replay.explanations)
    }

    @Test func `so is each event of a vendor's log`() throws {
        let entries = Self.distances.map {
            VendorLog.Entry(time: $0.time, payload: Array("{\"distance\":\($0.distance)}".utf8))
        }
        let log = VendorLog(format: .json, clock: .lines, entries: entries, faults: 0)
        var replay = Replay(options: EngineOptions(), name: "log", format: .json, explains: true)
        let events = replay.events(of: log)
        try check(events, replay.explanations)
    }

    @Test func `nobody asking, the events are the same and nothing is explained`() {
        let samples = Self.distances.map { Walk.Sample(time: $0.time, measured: $0.distance, truth: nil) }
        let walk = Walk(name: "walk", samples: samples)
        var plain = Replay(options: EngineOptions(), name: "walk")
        var asked = Replay(options: EngineOptions(), name: "walk", explains: true)
        let events = plain.events(of: walk)
        #expect(events == asked.events(of: walk))
        #expect(plain.explanations == [nil, nil, nil, nil])
    }

    @Test func `the JSON of an explained event keeps its keys sorted`() throws {
        let samples = Self.distances.map { Walk.Sample(time: $0.time, measured: $0.distance, truth: nil) }
        var replay = Replay(options: EngineOptions(), name: "walk", explains: true)
        let events = replay.events(of: Walk(name: "walk", samples: samples))
        for (event, explanation) in zip(events, replay.explanations) {
            let explanation = try #require(explanation)
            var json = JSONWriter()
            _ = EventPayload.write(
                event,
                WallTime(origin: 0),
                recording: ("f", 1),
                (explanation, ["immediate", "near"]),
                into: &json
            )
            #expect(JSONText.fault(json.bytes) == nil)
            let object = try #require(JSONText.object(json.bytes)?["explain"] as? [String: Any])
            let decision = try #require(object["decision"] as? [String: Any])
            #expect(decision["zone"] as? String == event.zone)
            #expect((object["samples"] as? [Any])?.count == explanation.samples.count)
            #expect(object["text"] as? String == EventExplanationText(explanation).sentence)
        }
    }
}
