// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEngineRestoreTests {
    private let enters = ["enter near", "enter immediate"]
    private let losses = ["exit immediate lost", "exit near lost"]

    private func settled(_ options: EngineOptions = .plain(), at distance: Double = 1, peer: String? = nil) -> Scenario
    {
        var scenario = Scenario(options)
        scenario.stay(at: distance, from: 0, to: 1, peer: peer)
        scenario.run(to: 1)
        return scenario
    }

    private func zone(_ name: String, _ state: ZoneState, since: Double, visit: Int64) -> RestoredStream.Zone {
        .init(name: name, state: state, since: Instant(nanoseconds: Int64(since * 1e9)), visit: visit)
    }

    @Test(arguments: [nil, "alice"])
    func `a restart makes no event and says that its state is restored`(peer: String?) {
        var scenario = settled(peer: peer)
        scenario.run(to: 5)
        let count = scenario.records.count
        scenario.restart()
        scenario.subscribe()
        #expect(scenario.records.count == count)
        let state = scenario.engine.state(of: StreamID(accessory: AccessoryIndex(0)))
        #expect(state?.isRestored == true)
        #expect(state?.zone == "immediate")
        #expect(state?.distance == nil)
        #expect(state?.sequence == scenario.events.last { $0.peer == nil }?.sequence)
        #expect(scenario.violations == [])
    }

    @Test(arguments: [nil, "alice"])
    func `who never left does not enter again, and the first report ends being restored`(peer: String?) {
        var scenario = settled(peer: peer)
        scenario.run(to: 5)
        scenario.restart()
        scenario.subscribe()
        scenario.stay(at: 1, from: 5, to: 20, peer: peer)
        scenario.stay(at: 9, from: 20, to: 21, peer: peer)
        scenario.run(to: 21)
        #expect(scenario.story() == enters + ["exit immediate left", "exit near left"])
        #expect(scenario.retained()?.isRestored == false)
        #expect(scenario.violations == [])
    }

    @Test(arguments: [nil, "alice"])
    func `who does not return is lost once, lost_after after the subscriptions`(peer: String?) {
        var scenario = settled(peer: peer)
        scenario.run(to: 100)
        // The stay that the earlier life ended stays ended.
        #expect(scenario.story() == enters + losses)
        scenario.stay(at: 1, from: 100, to: 101, peer: peer)
        scenario.run(to: 101)
        scenario.restart()
        scenario.run(to: 500)
        scenario.subscribe()
        scenario.run(to: 509.9)
        #expect(scenario.story() == enters + losses + enters)
        scenario.run(to: 10_000)
        #expect(scenario.story() == enters + losses + enters + losses)
        #expect(scenario.events.last?.at == Instant(nanoseconds: 510_000_000_000))
        #expect(scenario.violations == [])
    }

    @Test func `a restored stay in the band goes on`() {
        var scenario = settled(at: 2.9)
        scenario.restart()
        scenario.subscribe()
        scenario.stay(at: 3.2, from: 1, to: 3)
        scenario.run(to: 3)
        #expect(scenario.story() == ["enter near"])
    }

    @Test func `a dwell event is not sent by both lives`() {
        var options = EngineOptions.plain()
        options.zones[1].options.dwell = .after(.seconds(3))
        var scenario = Scenario(options)
        scenario.stay(at: 1, from: 0, to: 5, peer: "alice")
        scenario.run(to: 5)
        scenario.restart()
        scenario.subscribe()
        scenario.stay(at: 1, from: 5, to: 30, peer: "alice")
        scenario.run(to: 30)
        #expect(scenario.story() == enters + ["dwell near"])
        #expect(scenario.violations == [])
    }

    @Test func `two restarts are like one`() {
        var scenario = settled(peer: "alice")
        for _ in 0..<2 {
            scenario.restart()
            scenario.subscribe()
            scenario.run(to: 5)
        }
        scenario.run(to: 100)
        #expect(scenario.story() == enters + losses)
        #expect(scenario.violations == [])
    }

    @Test func `an enter that the aggregate missed is made with the number it would have had`() {
        var scenario = Scenario(.plain(), isSubscribed: false)
        let alice = RestoredStream(
            accessory: "lamp",
            peer: "alice",
            lastSequence: 41,
            zones: [zone("near", .inside, since: 0, visit: 41)]
        )
        let aggregate = RestoredStream(
            accessory: "lamp",
            peer: nil,
            lastSequence: 70,
            zones: [zone("near", .outside, since: 0, visit: 0)]
        )
        scenario.input(.restore(aggregate))
        scenario.input(.restore(alice))
        scenario.subscribe()
        #expect(scenario.events.map(\.identifier) == ["lamp:71"])
        #expect(scenario.story() == ["enter near"])
        #expect(scenario.retained()?.zone == "near")
        scenario.run(to: 20)
        #expect(scenario.events.map(\.identifier) == ["lamp:71", "lamp/alice:42", "lamp:72"])
        #expect(scenario.events.last?.visit == 71)
        #expect(scenario.retained()?.zone == "unknown")
    }

    @Test func `an exit that the aggregate missed comes as lost, since an unnamed peer may be inside`() {
        var scenario = Scenario(.plain(), isSubscribed: false)
        let alice = RestoredStream(
            accessory: "lamp",
            peer: "alice",
            lastSequence: 42,
            zones: [zone("near", .outside, since: 0, visit: 41)]
        )
        let aggregate = RestoredStream(
            accessory: "lamp",
            peer: nil,
            lastSequence: 71,
            zones: [zone("near", .inside, since: 0, visit: 71)]
        )
        for stream in [alice, aggregate] { scenario.input(.restore(stream)) }
        scenario.subscribe()
        #expect(scenario.events == [])
        scenario.run(to: 20)
        #expect(scenario.events.map(\.identifier) == ["lamp:72"])
        #expect(scenario.story() == ["exit near lost"])
        #expect(scenario.events.last?.visit == 71)
    }

    @Test func `an unnamed peer in an inner zone is in the outer one too, though another explains that`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 1)
        scenario.stay(at: 2, from: 0, to: 1, peer: "alice")
        scenario.run(to: 1)
        scenario.restart()
        scenario.subscribe()
        scenario.stay(at: 9, from: 1, to: 9, peer: "alice")
        scenario.run(to: 9)
        #expect(scenario.story(peer: "alice") == ["enter near", "exit near left"])
        #expect(scenario.story() == enters)
        scenario.run(to: 20)
        #expect(scenario.story() == enters + losses)
        #expect(scenario.violations == [])
    }

    @Test func `a loss of somebody forgotten does not outlive the next one who is seen`() {
        var scenario = settled(peer: "alice")
        scenario.run(to: 4000)
        #expect(scenario.engine.streams(of: AccessoryIndex(0)).count == 1)
        scenario.restart()
        scenario.subscribe()
        scenario.run(to: 4001)
        #expect(scenario.engine.state(of: StreamID(accessory: AccessoryIndex(0)))?.zone == "unknown")
        scenario.stay(at: 9, from: 4001, to: 4002, peer: "bob")
        scenario.run(to: 4002)
        #expect(scenario.retained()?.zone == "outside")
        #expect(scenario.violations == [])
    }

    @Test func `a peer that was lost in the running visit still makes it lost`() {
        var scenario = Scenario(.plain { $0.zones.removeFirst() })
        scenario.stay(at: 1, from: 0, to: 1, peer: "alice")
        scenario.stay(at: 1, from: 0, to: 15, peer: "bob")
        scenario.run(to: 15)
        scenario.restart()
        scenario.subscribe()
        scenario.stay(at: 1, from: 15, to: 16, peer: "bob")
        scenario.stay(at: 9, from: 16, to: 17, peer: "bob")
        scenario.run(to: 17)
        #expect(scenario.story() == ["enter near", "exit near lost"])
        #expect(scenario.violations == [])
    }

    @Test func `a backlog that comes before the subscriptions goes on from the restored state`() {
        for peer in [nil, "alice"] {
            var scenario = settled(peer: peer)
            scenario.restart()
            var engine = scenario.engine
            var effects = EffectBuffer()
            let name = peer.map { #","peer":"\#($0)""# } ?? ""
            let payload = Array(#"{"distance":9\#(name)}"#.utf8)
            for step in Int64(2)..<5 {
                let now = Instant(nanoseconds: step * 1_000_000_000)
                engine.handleReport(payload.span, from: AccessoryIndex(0), at: now, into: &effects)
            }
            let story = effects.effects.compactMap { effect -> String? in
                guard case .event(let event) = effect, event.peer == nil else { return nil }
                return event.summary
            }
            #expect(story == ["exit immediate left", "exit near left"])
        }
    }

    @Test(arguments: [nil, "alice"])
    func `a stay in a zone that is disabled now ends with that reason`(peer: String?) {
        var options = EngineOptions.plain()
        var scenario = settled(options, peer: peer)
        options.zones[1].options.isEnabled = false
        scenario.restart(options)
        scenario.subscribe()
        #expect(scenario.story() == enters + ["exit near zoneDisabled"])
        #expect(scenario.story(peer: peer) == enters + ["exit near zoneDisabled"])
        scenario.run(to: 100)
        #expect(scenario.story().last == "exit immediate lost")
        #expect(scenario.engine.state(of: StreamID(accessory: AccessoryIndex(0)))?.zones.map(\.name) == ["immediate"])
    }

    @Test func `what is not allowed, not valid or not known any more is not restored`() {
        var scenario = Scenario(.plain { $0.limits.accessories = 1 }, isSubscribed: false)
        let zones = [zone("gone", .inside, since: 0, visit: 5)]
        scenario.input(.restore(RestoredStream(accessory: "a/b", peer: nil, lastSequence: 5, zones: zones)))
        #expect(scenario.engine.accessoryCount == 0)
        scenario.input(.restore(RestoredStream(accessory: "lamp", peer: nil, lastSequence: 5, zones: zones)))
        scenario.input(.restore(RestoredStream(accessory: "fan", peer: nil, lastSequence: 5, zones: zones)))
        scenario.input(.restore(RestoredStream(accessory: "lamp", peer: "a b", lastSequence: 5, zones: zones)))
        scenario.subscribe()
        scenario.run(to: 100)
        #expect(scenario.engine.accessoryCount == 1)
        #expect(scenario.engine.streams(of: AccessoryIndex(0)).count == 1)
        #expect(scenario.records == [])
    }

    @Test(arguments: [nil, 0, -4, Int64.max])
    func `a number that cannot be continued is none`(number: Int64?) {
        var scenario = Scenario(.plain { $0.unixMillisecondsAtOrigin = 500 }, isSubscribed: false)
        scenario.input(.restore(RestoredStream(accessory: "lamp", peer: nil, lastSequence: number, zones: [])))
        scenario.subscribe()
        scenario.stay(at: 2, from: 0, to: 1)
        scenario.run(to: 1)
        #expect(scenario.events.map(\.sequence) == [600])
    }

    @Test func `a restored peer is forgotten like any other`() {
        var scenario = settled(at: 9, peer: "alice")
        scenario.restart()
        scenario.subscribe()
        scenario.run(to: 3700)
        #expect(scenario.engine.streams(of: AccessoryIndex(0)).count == 1)
        #expect(scenario.violations == [])
    }
}
