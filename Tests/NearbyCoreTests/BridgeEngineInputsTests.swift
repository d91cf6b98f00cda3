// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEngineInputsTests {
    private static let name = Array("serial:/dev/ttyACM0".utf8)

    /// An engine with a source on foreign topics, and after it one that is a device.
    private struct Site {
        var engine: BridgeEngine
        var effects = EffectBuffer()
        var now = Instant(nanoseconds: 0)

        init(_ input: SourceOptions, source: SourceOptions = SourceOptions()) {
            var options = EngineOptions()
            options.sources = [source, input]
            var generator = SeededGenerator(seed: 1)
            engine = BridgeEngine(options: options, using: &generator)
            engine.handle(.subscribed, at: now, into: &effects)
        }

        mutating func read(_ text: String, after milliseconds: Int64 = 200) {
            now = now.advanced(by: .milliseconds(milliseconds))
            let feed = engine.inputFeed(name.span, source: 1)
            engine.handleReport(Array(text.utf8).span, from: feed, isRetained: false, at: now, into: &effects)
        }

        var story: [String] {
            effects.effects.compactMap { effect in
                guard case .event(let event) = effect else { return nil }
                return "\(event.accessory)\(event.peer.map { "/\($0)" } ?? "") \(event.summary)"
            }
        }

        var complaints: [Complaint] {
            effects.effects.compactMap { if case .complaint(let complaint) = $0 { complaint } else { nil } }
        }
    }

    private var lamp: SourceOptions {
        var options = SourceOptions()
        options.format = .qorvo
        options.accessory = "lamp"
        options.peer = "phone"
        return options
    }

    private func near(_ block: Int = 1) -> String {
        #"{"Block":\#(block), "results":[{"Addr":"0x0001","Status":"Ok","D_cm":200}]}"# + "\r\n"
    }

    @Test func `a device reports for the accessory and the peer that its entry names`() {
        var site = Site(lamp)
        for block in 0..<4 { site.read(near(block)) }
        #expect(site.story == ["lamp/phone enter near", "lamp enter near"])
    }

    @Test func `what an unplugged device left unfinished does not join what comes after`() {
        for isForgotten in [false, true] {
            var site = Site(lamp)
            let near = near()
            let cut = near.index(near.startIndex, offsetBy: 30)
            site.read(String(near[..<cut]))
            if isForgotten { site.engine.forgetUnfinished(of: site.engine.inputFeed(Self.name.span, source: 1)) }
            site.read(String(near[cut...]))
            #expect(site.engine.counters.reports == (isForgotten ? 0 : 1))
        }
    }

    @Test func `nobody who publishes on a topic of its name passes for a device`() {
        var stranger = SourceOptions()
        stranger.format = .json
        var site = Site(lamp, source: stranger)
        site.read(near())
        #expect(site.engine.feed(Self.name.span) == nil)
        var levels = FeedLevels()
        levels.accessory = 0..<6
        let topic = site.engine.addFeed(Self.name.span, source: 0, levels: levels, into: &site.effects)
        #expect(topic != nil)
        #expect(topic != site.engine.inputFeed(Self.name.span, source: 1))
    }

    @Test func `a complaint names the device`() {
        var options = SourceOptions()
        options.format = .json
        var site = Site(options)
        site.read(#"{"distance":2}"#)
        site.read("rubbish")
        #expect(site.complaints.map(\.subject) == [.input])
        #expect(site.complaints.map(\.accessory) == ["serial:/dev/ttyACM0"])
        #expect(site.complaints.map(\.kind) == [.noAccessory])
    }
}
