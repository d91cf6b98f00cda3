// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// What a radio tells of its session, in the stream of its reports.
@Suite struct BridgeEngineSignalsTests {
    private static let data = BridgeEngineSessionsTests.data
    private static let suspension = UCIRangeDataTests.status(3, 3)
    private static let resumption = UCIRangeDataTests.status(2, 4)
    private static let exhaustion = UCIRangeDataTests.status(3, 1)

    private static func text(_ packet: [UInt8]) -> String { Hexadecimal.text(packet.span) }

    private let enters = ["- enter near", "- enter immediate"]
    private let exits = ["- exit immediate suspended", "- exit near suspended"]

    /// A lamp in virtual time that sends UCI packets as hexadecimal text.
    private struct Stream {
        var scenario: Scenario
        private var sequence: UInt32 = 0

        init(_ options: EngineOptions = .plain(), isConfigured: Bool = true) {
            scenario = Scenario(options)
            if isConfigured { scenario.configure(BridgeEngineSignalsTests.data) }
        }

        /// A metre, ten times a second, from one time in seconds to another.
        mutating func range(from start: Double, to end: Double) {
            for step in 0..<Int(((end - start) * 10).rounded()) {
                sequence += 1
                var packet = UCIRangeDataTests.Packet()
                packet.sequence = sequence
                packet.interval = 100
                packet.measurements[0].centimetres = 100
                send(packet.encoded(), at: start + Double(step) / 10)
            }
            scenario.run(to: end)
        }

        mutating func send(_ packet: [UInt8], at seconds: Double) {
            scenario.deliver(BridgeEngineSignalsTests.text(packet), at: Int64((seconds * 1e9).rounded()))
        }

        mutating func tell(_ packet: [UInt8], at seconds: Double) {
            send(packet, at: seconds)
            scenario.run(to: seconds)
        }
    }

    @Test func `the other end pauses, goes on, pauses again and goes on without its word`() {
        var stream = Stream()
        stream.range(from: 0, to: 2)
        stream.tell(Self.suspension, at: 2)
        #expect(stream.scenario.retained()?.distance == nil && stream.scenario.retained()?.session == .suspended)
        // What the round before still had to say.
        stream.range(from: 2.1, to: 2.4)
        #expect(stream.scenario.engine.counters.suspended == 3)
        stream.tell(Self.resumption, at: 20)
        #expect(stream.scenario.retained()?.session == .ranging)
        stream.range(from: 20.1, to: 22)
        stream.tell(Self.suspension, at: 22)
        stream.range(from: 30, to: 32)
        let told = ["- suspended peer_suspended"] + exits + ["- resumed peer_resumed"] + enters
        #expect(stream.scenario.wholeStory() == ["- started 1"] + enters + told + told)
        #expect(stream.scenario.engine.counters.suspended == 3)
        #expect(stream.scenario.session()?.run == 1 && stream.scenario.session()?.state == .ranging)
        // It was never told to stop.
        #expect(stream.scenario.commandNames() == ["start 1"])
        #expect(stream.scenario.violations == [])
    }

    @Test(arguments: [true, false])
    func `a pause outlasts a restart`(_ isTold: Bool) {
        var stream = Stream()
        stream.range(from: 0, to: 2)
        stream.tell(Self.suspension, at: 2)
        stream.scenario.restart()
        stream.scenario.subscribe()
        stream.scenario.run(to: 10)
        #expect(stream.scenario.session()?.reason == .peerSuspended)
        if isTold { stream.tell(Self.resumption, at: 10) }
        stream.range(from: 10.1, to: 12)
        #expect(stream.scenario.wholeStory().suffix(3) == ["- resumed peer_resumed"] + enters)
        #expect(stream.scenario.session()?.run == 1 && stream.scenario.commandNames() == ["start 1"])
        #expect(stream.scenario.violations == [])
    }

    @Test func `a radio that gives up begins the ladder at once`() {
        var stream = Stream()
        stream.range(from: 0, to: 2)
        stream.tell(Self.exhaustion, at: 2.1)
        let ladder = ["- timeout 1 ranging", "- retry 1 rerun"]
        #expect(stream.scenario.wholeStory() == ["- started 1"] + enters + ladder)
        #expect(stream.scenario.session()?.state == .silent)
        #expect(stream.scenario.violations == [])
    }

    @Test func `Qorvo's word for it does the same`() {
        var stream = Stream()
        stream.scenario.deliver(#"{"Session Stopped":"Max attempts"}"#, at: 0)
        stream.scenario.run(to: 0)
        #expect(stream.scenario.wholeStory() == ["- timeout 1 start", "- retry 1 rerun"])
        stream.scenario.deliver(#"{"Session Stopped":"Inband Stop"}"#, at: 0)
        stream.scenario.run(to: 0)
        #expect(stream.scenario.session()?.reason == .peerEnded)
    }

    @Test func `a session that is run elsewhere does not care`() {
        var stream = Stream(isConfigured: false)
        for signal in [Self.suspension, Self.resumption, Self.exhaustion] {
            stream.tell(signal, at: 0)
            #expect(stream.scenario.session()?.state == .idle)
        }
        stream.range(from: 0, to: 2)
        for signal in [Self.suspension, Self.exhaustion, Self.resumption] { stream.tell(signal, at: 2) }
        stream.range(from: 2.1, to: 4)
        #expect(stream.scenario.session()?.state == .external)
        #expect(stream.scenario.wholeStory() == enters)
        stream.scenario.run(to: 15)
        #expect(stream.scenario.wholeStory() == enters + ["- exit immediate lost", "- exit near lost"])
    }

    @Test func `where a session is required a paused one is one`() {
        var stream = Stream(.plain { $0.session.isRequired = true })
        stream.range(from: 0, to: 2)
        stream.tell(Self.suspension, at: 2)
        stream.range(from: 5, to: 7)
        #expect(stream.scenario.session()?.state == .ranging)
        #expect(stream.scenario.engine.counters.outsideSession == 0)
    }

    @Test func `every session of the accessory hears it, and each goes on by its own ranges`() {
        var scenario = BridgeEngineSessionsTests.ranging()
        scenario.ask(.start, peer: "alice")
        scenario.stay(at: 2, from: 2.1, to: 2.4, peer: "alice")
        scenario.run(to: 2.4)
        scenario.deliver(Self.text(Self.suspension), at: 2_500_000_000)
        scenario.run(to: 5)
        #expect(scenario.session()?.state == .suspended && scenario.session(peer: "alice")?.state == .suspended)
        scenario.stay(at: 2, from: 5.1, to: 6, peer: "alice")
        scenario.run(to: 6)
        #expect(scenario.session(peer: "alice")?.state == .ranging)
        #expect(scenario.wholeStory().filter { $0.contains("resumed") } == ["alice resumed peer_resumed"])
        scenario.deliver(Self.text(Self.resumption), at: 6_100_000_000)
        scenario.run(to: 6.2)
        #expect(
            scenario.wholeStory().filter { $0.contains("resumed") }
                == ["alice resumed peer_resumed", "- resumed peer_resumed"]
        )
        #expect(scenario.violations == [])
    }

    @Test func `any report goes on with the only session there is, though it is paused`() {
        var scenario = BridgeEngineSessionPeersTests.phoneAlone()
        scenario.deliver(Self.text(Self.suspension), at: 200_000_000)
        scenario.send(2, at: 5)
        scenario.run(to: 5)
        #expect(scenario.session(peer: "phone")?.state == .ranging)
        #expect(scenario.wholeStory().contains("phone resumed peer_resumed"))
    }

    @Test func `an accessory that is removed while its run is paused is told to stop`() {
        var stream = Stream()
        stream.range(from: 0, to: 2)
        stream.tell(Self.suspension, at: 2)
        stream.scenario.input(.remove("lamp", isBlocked: false))
        #expect(stream.scenario.commandNames() == ["start 1", "stop"])
        #expect(stream.scenario.wholeStory().last == "- ended 1 requested")
    }

    @Test func `what a foreign topic tells of the radio concerns the accessory that it names`() throws {
        var options = EngineOptions.plain()
        var source = SourceOptions()
        source.format = .uci
        source.accessory = "lamp"
        options.sources = [source]
        var scenario = BridgeEngineSessionsTests.ranging(options)
        var engine = scenario.engine
        var effects = EffectBuffer()
        let topic = Array("gateway/7".utf8)
        let feed = try #require(engine.addFeed(topic.span, source: 0, levels: FeedLevels(), into: &effects))
        let payload = Self.suspension
        engine.handleReport(payload.span, from: feed, isRetained: true, at: scenario.now, into: &effects)
        let lamp = StreamID(accessory: AccessoryIndex(0))
        #expect(engine.sessionState(of: lamp) == .ranging)
        engine.handleReport(payload.span, from: feed, isRetained: false, at: scenario.now, into: &effects)
        #expect(engine.sessionState(of: lamp) == .suspended)
        #expect(engine.session(of: lamp).reason == .peerSuspended)
        // The copy that the scenario has is another engine.
        scenario.run(to: 3)
        #expect(scenario.session()?.state == .ranging)
    }
}
