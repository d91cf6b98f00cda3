// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// Sources that speak on change only: at the edge once, or again and again while something is true.
@Suite struct BridgeEngineByExceptionTests {
    private let enters = ["enter near", "enter immediate"]
    private let losses = ["exit immediate lost", "exit near lost"]
    private static let day = 86_400.0

    /// How the source is declared: by the accessory, or by the source whose topic brings its reports.
    enum Declared: CaseIterable { case accessory, source }

    /// A lamp on a topic of its own or on a foreign one.
    private struct Site {
        var engine: BridgeEngine
        var effects = EffectBuffer()
        var now = Instant(nanoseconds: 0)
        var story: [String] = []
        let declared: Declared
        let options: EngineOptions

        init(_ declared: Declared, lostAfter: Patience? = nil, _ change: (inout EngineOptions) -> Void = { _ in }) {
            self.declared = declared
            var options = EngineOptions()
            options.unixMillisecondsAtOrigin = 1_764_511_312_000
            switch declared {
            case .accessory:
                var lamp = AccessoryOptions()
                lamp.reports = .byException
                lamp.lostAfter = lostAfter
                options.accessories["lamp"] = lamp
            case .source:
                var source = SourceOptions()
                source.isByException = true
                source.lostAfter = lostAfter
                options.sources = [source]
            }
            change(&options)
            self.options = options
            engine = Self.engine(options)
            engine.handle(.subscribed, at: now, into: &effects)
        }

        private static func engine(_ options: EngineOptions) -> BridgeEngine {
            var generator = SeededGenerator(seed: 1)
            return BridgeEngine(options: options, using: &generator)
        }

        mutating func send(_ payload: String, at seconds: Double) {
            run(to: seconds)
            let bytes = Array(payload.utf8)
            switch declared {
            case .accessory:
                guard let lamp = engine.accessory(Array("lamp".utf8).span, at: now, into: &effects) else { return }
                engine.handleReport(bytes.span, from: lamp, at: now, into: &effects)
            case .source:
                let topic = Array("foreign/lamp".utf8)
                var levels = FeedLevels()
                levels.accessory = 8..<12
                let known = engine.feed(topic.span)
                guard let feed = known ?? engine.addFeed(topic.span, source: 0, levels: levels, into: &effects) else {
                    return
                }
                engine.handleReport(bytes.span, from: feed, isRetained: false, at: now, into: &effects)
            }
            collect()
        }

        mutating func run(to seconds: Double) {
            now = Instant(nanoseconds: Int64(seconds * 1e9))
            engine.advance(to: now, into: &effects)
            collect()
        }

        /// Begins anew from what the state said.
        mutating func restart() {
            guard let state = engine.state(of: StreamID(accessory: AccessoryIndex(0))) else { return }
            let zones = state.zones.map {
                RestoredStream.Zone(name: $0.name, state: $0.state, since: $0.since ?? now, visit: $0.visit ?? 0)
            }
            engine = Self.engine(options)
            let stream = RestoredStream(accessory: "lamp", peer: nil, lastSequence: state.sequence, zones: zones)
            engine.handle(.restore(stream), at: now, into: &effects)
            engine.handle(.subscribed, at: now, into: &effects)
            collect()
        }

        private mutating func collect() {
            for effect in effects.effects {
                guard case .event(let event) = effect else { continue }
                story.append(event.summary)
            }
            effects.removeAll()
            engine.effectsPerformed()
        }
    }

    @Test("Told once at the edge, a stay lasts for ever", arguments: Declared.allCases)
    func edge(_ declared: Declared) {
        var site = Site(declared)
        site.send(#"{"distance":1}"#, at: 0)
        site.run(to: 30 * Self.day)
        #expect(site.story == enters)
        site.send(#"{"distance":9}"#, at: 30 * Self.day)
        site.run(to: 30 * Self.day + 10)
        #expect(site.story == enters + ["exit immediate left", "exit near left"])
    }

    @Test("Neither a zone's nor the bridge's patience makes a loss of it", arguments: Declared.allCases)
    func zonePatience(_ declared: Declared) {
        var site = Site(declared) {
            $0.lostAfter = .after(.seconds(2))
            for index in $0.zones.indices { $0.zones[index].options.lostAfter = .after(.seconds(1)) }
        }
        site.send(#"{"distance":1}"#, at: 0)
        site.run(to: Self.day)
        #expect(site.story == enters)
    }

    @Test("Told again and again, it is lost only when that ends, if lost_after is set", arguments: Declared.allCases)
    func level(_ declared: Declared) {
        var site = Site(declared, lostAfter: .after(.seconds(30)))
        for step in 0...20 { site.send(#"{"distance":1}"#, at: Double(step) * 10) }
        site.run(to: 229)
        #expect(site.story == enters)
        site.run(to: 231)
        #expect(site.story == enters + losses)
    }

    @Test(
        "Repetitions that keep the stamp or the number of when it became true prove the stay as well",
        arguments: Declared.allCases,
        [#"{"distance":1,"timestamp":1764511312.5}"#, #"{"distance":1,"seq":7}"#]
    )
    func sameStamp(_ declared: Declared, _ payload: String) {
        var site = Site(declared, lostAfter: .after(.seconds(30)))
        for step in 0...20 { site.send(payload, at: Double(step) * 10) }
        site.run(to: 229)
        #expect(site.story == enters)
        site.run(to: 231)
        #expect(site.story == enters + losses)
        // It is true again: that it was true before is no reason to doubt it.
        site.send(payload, at: 240)
        #expect(site.story == enters + losses + enters)
    }

    @Test("Repetitions put no end of a hold off, and bring none forward", arguments: Declared.allCases)
    func holds(_ declared: Declared) {
        var site = Site(declared) { $0.zones[1].options.exitHold = .seconds(30) }
        site.send(#"{"distance":2,"seq":1}"#, at: 0)
        // Stays outside by its last word, again and again.
        for step in 0..<29 { site.send(#"{"distance":9,"seq":2}"#, at: 100 + Double(step)) }
        #expect(site.story == ["enter near"])
        site.send(#"{"distance":9,"seq":2}"#, at: 131)
        #expect(site.story == ["enter near", "exit near left"])
        // A repetition's time is not counted twice.
        site.send(#"{"distance":2,"seq":3}"#, at: 200)
        for step in 0..<20 { site.send(#"{"distance":2,"seq":3}"#, at: 201 + Double(step)) }
        site.send(#"{"distance":9,"seq":4}"#, at: 221)
        site.run(to: 250.5)
        #expect(site.story.count == 3)
        site.run(to: 251.5)
        #expect(site.story.count == 4)
    }

    @Test("A restart loses nothing before the first report", arguments: Declared.allCases)
    func restart(_ declared: Declared) {
        var site = Site(declared) {
            for index in $0.zones.indices { $0.zones[index].options.lostAfter = .after(.seconds(1)) }
        }
        site.send(#"{"distance":1}"#, at: 0)
        site.restart()
        site.run(to: Self.day)
        #expect(site.story == enters)
    }

    @Test("A patient source beside it makes it no less patient after a restart")
    func neighbours() {
        var site = Site(.source) {
            var other = SourceOptions()
            other.lostAfter = .after(.seconds(60))
            $0.sources.append(other)
        }
        site.send(#"{"distance":1}"#, at: 0)
        site.restart()
        site.run(to: Self.day)
        #expect(site.story == enters)
    }

    // MARK: Sessions

    private func options() -> EngineOptions { .byException() }

    @Test("A run that is proved by a report is not silent because nothing changes")
    func session() {
        var scenario = Scenario(options())
        scenario.configure(BridgeEngineSessionsTests.data)
        scenario.send(1, at: 1)
        scenario.run(to: 30 * Self.day)
        #expect(scenario.session()?.state == .ranging)
        #expect(scenario.wholeStory() == ["- started 1", "- enter near", "- enter immediate"])
        #expect(scenario.commandNames() == ["start 1"])
        scenario.disconnect()
        scenario.subscribe()
        scenario.run(to: 60 * Self.day)
        #expect(scenario.session()?.state == .ranging)
        scenario.restart()
        scenario.subscribe()
        scenario.run(to: 90 * Self.day)
        #expect(scenario.session()?.state == .ranging)
        #expect(scenario.wholeStory().count == 3)
        #expect(scenario.violations == [])
    }

    @Test("The accessory's word that it has started is as much as such a source ever says")
    func didStart() {
        var scenario = Scenario(options())
        scenario.configure(BridgeEngineSessionsTests.data)
        scenario.message([2])
        scenario.run(to: Self.day)
        #expect(scenario.wholeStory() == ["- started 1"])
        #expect(scenario.session()?.state == .ranging)
        scenario.message([3])
        #expect(scenario.session()?.state == .ended)
        scenario.message([2])
        #expect(scenario.session()?.state == .ended)
        // Of others it stays a hint.
        var stream = Scenario(.plain())
        stream.configure(BridgeEngineSessionsTests.data)
        stream.message([2])
        #expect(stream.session()?.state == .starting)
    }

    @Test("Without any word from the accessory the run is tried again as ever")
    func noWord() {
        var scenario = Scenario(options())
        scenario.configure(BridgeEngineSessionsTests.data)
        scenario.run(to: 10)
        #expect(scenario.wholeStory().first == "- timeout 1 start")
    }
}
