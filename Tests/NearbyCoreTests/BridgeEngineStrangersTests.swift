// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

/// Foreign topics are written by strangers too.
@Suite struct BridgeEngineStrangersTests {
    private var engine: BridgeEngine
    private var effects = EffectBuffer()
    private let now = Instant(nanoseconds: 1_000_000_000)

    init() {
        var source = SourceOptions()
        source.format = .drtls
        source.names = ["aaaa": "gate"]
        var options = EngineOptions()
        options.sources = [source]
        var generator = SeededGenerator(seed: 1)
        engine = BridgeEngine(options: options, using: &generator)
        engine.handle(.subscribed, at: now, into: &effects)
    }

    private mutating func send(_ payload: String, on topic: String, _ levels: (Range<Int>) -> FeedLevels, at: Instant) {
        let bytes = Array(topic.utf8)
        guard
            let feed = engine.feed(bytes.span)
                ?? engine.addFeed(bytes.span, source: 0, levels: levels(2..<bytes.count), into: &effects)
        else { return }
        engine.handleReport(Array(payload.utf8).span, from: feed, isRetained: false, at: at, into: &effects)
    }

    private mutating func tell(_ anchor: String, at x: Double) {
        let payload =
            x.isNaN
            ? ""
            : #"{"configuration":{"nodeType":"ANCHOR","anchor":{"position":{"x":\#(x),"y":0,"z":0,"quality":100}}}}"#
        send(payload, on: "a/\(anchor)", anchorLevels, at: now)
    }

    private let anchorLevels: @Sendable (Range<Int>) -> FeedLevels = { range in
        var levels = FeedLevels()
        levels.anchor = range
        return levels
    }

    private let peerLevels: @Sendable (Range<Int>) -> FeedLevels = { range in
        var levels = FeedLevels()
        levels.peer = range
        return levels
    }

    private mutating func stay(of tag: String) {
        for step in 0..<10 {
            let location = #"{"position":{"x":1,"y":0,"z":0,"quality":60}}"#
            send(location, on: "p/\(tag)", peerLevels, at: now.advanced(by: .milliseconds(Int64(200 * step))))
        }
    }

    private var story: [String] {
        effects.effects.compactMap { effect in
            guard case .event(let event) = effect, event.peer == nil else { return nil }
            return "\(event.accessory) \(event.summary)"
        }
    }

    @Test mutating func `whoever fills the place of anchors does not keep out one that has a name`() {
        for number in 0..<2000 { tell("s\(number)", at: 1000 + Double(number)) }
        tell("aaaa", at: 0)
        stay(of: "tag")
        #expect(story == ["gate enter near", "gate enter immediate"])
        let isTold = effects.effects.contains { effect in
            guard case .complaint(let complaint) = effect else { return false }
            return complaint.kind == .tooManyAnchors
        }
        #expect(isTold)
    }

    @Test mutating func `an anchor whose place is cleared is there no more`() {
        tell("aaaa", at: 0)
        tell("bbbb", at: 0.5)
        tell("aaaa", at: .nan)
        stay(of: "tag")
        #expect(story == ["bbbb enter near", "bbbb enter immediate"])
    }

    @Test mutating func `long topics and levels leave nothing behind`() {
        for number in 0..<100 {
            let level = "\(number)" + String(repeating: "x", count: 60_000)
            #expect(
                engine.addFeed(Array("a/\(level)".utf8).span, source: 0, levels: FeedLevels(), into: &effects) == nil
            )
            var levels = FeedLevels()
            levels.peer = 2..<102
            let topic = Array("a/\(level.prefix(100))".utf8)
            #expect(engine.addFeed(topic.span, source: 0, levels: levels, into: &effects) == nil)
        }
        #expect(engine.counters.refusedAccessories == 200)
    }

    @Test func `a line whose end is left out ends with the next one`() {
        var options = EngineOptions()
        options.accessories["lamp"] = AccessoryOptions()
        options.accessories["lamp"]?.format = .makerfabs
        var generator = SeededGenerator(seed: 1)
        var engine = BridgeEngine(options: options, using: &generator)
        var effects = EffectBuffer()
        engine.handle(.subscribed, at: now, into: &effects)
        for number in 0..<5 {
            let at = now.advanced(by: .milliseconds(Int64(200 * number)))
            guard let lamp = engine.accessory(Array("lamp".utf8).span, at: at, into: &effects) else { return }
            let line = Array("AT+RANGE=tid:1,mask:01,seq:\(number),range:(100,0,0,0,0,0,0,0)".utf8)
            engine.handleReport(line.span, from: lamp, at: at, into: &effects)
        }
        #expect(engine.counters.reports == 4)
        #expect(engine.counters.malformed == 0)
    }
}
