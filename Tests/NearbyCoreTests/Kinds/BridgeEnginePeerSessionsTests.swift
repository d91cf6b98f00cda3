// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// Two phones, each an accessory of the bridge.
@Suite struct BridgeEnginePeerSessionsTests {
    private static let ann: [UInt8] = [0xFF, 0xA1]
    private static let bob: [UInt8] = [0xFF, 0xB1]

    private func delivered(_ scenario: Scenario) -> [String] {
        scenario.records.compactMap { record in
            guard case .peerToken(let token) = record.effect else { return nil }
            return "\(token.accessory)<\(token.peer) \(token.token.bytes[1] & 0xF0 == 0xA0 ? "a" : "b") \(token.run)"
        }
    }

    private func complaints(_ scenario: Scenario) -> [Complaint.Kind] {
        scenario.records.compactMap { record in
            if case .complaint(let complaint) = record.effect { complaint.kind } else { nil }
        }
    }

    private func story(_ scenario: Scenario, _ accessory: String) -> [String] {
        scenario.records.compactMap { record in
            switch record.effect {
            case .event(let event) where event.accessory == accessory && event.peer != nil: event.summary
            case .sessionEvent(let event) where event.accessory == accessory: event.kind.summary
            default: nil
            }
        }
    }

    private func missing(_ scenario: Scenario, _ accessory: String, _ peer: String) -> [String] {
        guard let index = scenario.engine.accessory(named: accessory),
            let stream = scenario.engine.stream(of: index, peer: peer)
        else { return ["nobody"] }
        return scenario.engine.missingTokens(of: stream)
    }

    private var exchanged: Scenario {
        var scenario = Scenario(EngineOptions.plain())
        scenario.token(Self.ann, of: "ann", for: "bob")
        scenario.token(Self.bob, of: "bob", for: "ann")
        return scenario
    }

    /// Both range, and ann reports.
    private var ranging: Scenario {
        var scenario = exchanged
        scenario.stay(at: 5, from: 0.1, to: 1, accessory: "ann", peer: "bob")
        scenario.run(to: 1)
        return scenario
    }

    @Test func `each phone gets the other's token when both have given one, and both have one session`() {
        var scenario = Scenario(EngineOptions.plain())
        scenario.token(Self.ann, of: "ann", for: "bob")
        #expect(delivered(scenario) == [])
        #expect(scenario.session(of: "ann", peer: "bob")?.state == .awaitingConfiguration)
        #expect(missing(scenario, "ann", "bob") == ["bob"])
        scenario.run(to: 1000)
        scenario.token(Self.bob, of: "bob", for: "ann")
        #expect(delivered(scenario) == ["bob<ann a 1", "ann<bob b 1"])
        #expect(missing(scenario, "ann", "bob") == [] && missing(scenario, "bob", "ann") == [])
        #expect(scenario.session(of: "bob", peer: "ann") == scenario.session(of: "ann", peer: "bob"))
        #expect(scenario.commands(of: nil).isEmpty)
        #expect(scenario.violations == [])
    }

    @Test(arguments: ["ann", "bob"])
    func `either phone's report proves the session at both ends`(_ reporter: String) {
        var scenario = exchanged
        scenario.stay(at: 1, from: 0.1, to: 1, accessory: reporter, peer: reporter == "ann" ? "bob" : "ann")
        scenario.run(to: 1)
        for (accessory, peer) in [("ann", "bob"), ("bob", "ann")] {
            #expect(scenario.session(of: accessory, peer: peer)?.state == .ranging)
            #expect(scenario.session(of: accessory, peer: peer)?.kind == .peer)
            #expect(story(scenario, accessory).first == "started 1")
        }
        #expect(story(scenario, reporter) == ["started 1", "enter near", "enter immediate"])
        // The silence of one is no silence while the other reports.
        let other = reporter == "ann" ? "bob" : "ann"
        scenario.stay(at: 5, from: 4, to: 5, accessory: other, peer: reporter)
        scenario.run(to: 9)
        #expect(scenario.session(of: reporter, peer: other)?.state == .ranging)
        #expect(scenario.violations == [])
    }

    @Test func `a report about somebody else proves nothing`() {
        var scenario = exchanged
        scenario.send(5, at: 0.1, from: "ann", peer: "cid")
        scenario.run(to: 0.2)
        #expect(scenario.session(of: "ann", peer: "bob")?.state == .starting)
    }

    @Test func `removal by timeout: rerun with the same tokens, told at both ends`() {
        var scenario = ranging
        scenario.run(to: 30)
        #expect(delivered(scenario).count == 8)
        let retries = ["timeout 1 ranging", "retry 1 rerun", "timeout 2 start", "retry 2 rerun", "timeout 3 start"]
        let end = ["retry 3 rerun", "timeout 4 start", "ended 4 retries_exhausted"]
        for phone in ["ann", "bob"] {
            #expect(story(scenario, phone) == ["started 1"] + retries + end)
        }
        #expect(scenario.session(of: "bob", peer: "ann")?.state == .ended)
        #expect(scenario.violations == [])
    }

    @Test func `pause and run again: suspended at both ends, and no new exchange`() {
        var scenario = ranging
        scenario.ask(.suspend, of: "ann", peer: "bob")
        #expect(scenario.session(of: "bob", peer: "ann")?.reason == .peerSuspended)
        #expect(scenario.session(of: "ann", peer: "bob")?.reason == .requested)
        scenario.send(5, at: 1.5, from: "ann", peer: "bob")
        scenario.run(to: 2)
        #expect(scenario.engine.counters.suspended == 1)
        scenario.ask(.resume, of: "ann", peer: "bob")
        scenario.send(5, at: 2.5, from: "bob", peer: "ann")
        scenario.run(to: 3)
        #expect(delivered(scenario).count == 2)
        #expect(story(scenario, "ann") == ["started 1", "suspended requested", "resumed requested"])
        #expect(story(scenario, "bob") == ["started 1", "suspended peer_suspended", "resumed peer_resumed"])
        #expect(scenario.session(of: "ann", peer: "bob")?.state == .ranging)
        #expect(scenario.violations == [])
    }

    @Test func `suspended too long: invalidated here, ended by the peer there, and tokens needed from both`() {
        var scenario = ranging
        scenario.ask(.suspend, of: "ann", peer: "bob")
        scenario.run(to: 100)
        #expect(Set(missing(scenario, "ann", "bob")) == ["ann", "bob"])
        let ends = [story(scenario, "ann").suffix(2), story(scenario, "bob").suffix(2)].map {
            $0.joined(separator: ", ")
        }
        #expect(
            Set(ends) == [
                "invalidated suspended_too_long, required suspended_too_long",
                "ended 1 peer_ended, required suspended_too_long",
            ]
        )
    }

    @Test func `invalidated: the other end is told that its peer ended, and both must give tokens anew`() {
        var scenario = ranging
        scenario.ask(.invalidate(code: nil), of: "ann", peer: "bob")
        #expect(story(scenario, "ann") == ["started 1", "invalidated requested", "required requested"])
        #expect(story(scenario, "bob") == ["started 1", "ended 1 peer_ended", "required requested"])
        #expect(scenario.session(of: "ann", peer: "bob")?.state == .invalidated)
        #expect(scenario.session(of: "bob", peer: "ann")?.state == .ended)
        #expect(scenario.session(of: "bob", peer: "ann")?.reason == .peerEnded)
        scenario.token(Self.ann, of: "ann", for: "bob")
        #expect(delivered(scenario).count == 2)
        #expect(missing(scenario, "bob", "ann") == ["bob"])
        scenario.token(Self.bob, of: "bob", for: "ann")
        #expect(delivered(scenario).suffix(2) == ["bob<ann a 2", "ann<bob b 2"])
        #expect(scenario.violations == [])
    }

    @Test func `removal by peerEnded: one phone says so, and it is over at both ends without a retry`() {
        var scenario = ranging
        scenario.ask(.signal(.ended), of: "ann", peer: "bob")
        scenario.run(to: 100)
        #expect(story(scenario, "ann") == ["started 1", "ended 1 peer_ended"])
        #expect(story(scenario, "bob") == ["started 1", "ended 1 peer_ended"])
        #expect(delivered(scenario).count == 2)
    }

    @Test func `stopped by one is ended by the peer for the other`() {
        var scenario = ranging
        scenario.ask(.stop, of: "bob", peer: "ann")
        #expect(story(scenario, "bob").last == "ended 1 requested")
        #expect(story(scenario, "ann").last == "ended 1 peer_ended")
    }

    @Test func `a phone that gives its token again gets the other's once more, and nothing else happens`() {
        var scenario = exchanged
        scenario.token(Self.bob, of: "bob", for: "ann")
        #expect(delivered(scenario) == ["bob<ann a 1", "ann<bob b 1", "bob<ann a 1"])
        scenario.token([0xFF, 0xB2], of: "bob", for: "ann")
        #expect(delivered(scenario).suffix(2) == ["bob<ann a 2", "ann<bob b 2"])
        #expect(story(scenario, "ann") == ["ended 1 new_configuration"])
    }

    @Test func `init throws: what is no token is told, and what is retained is not taken`() {
        var scenario = Scenario(EngineOptions.plain())
        scenario.token(Array("no token!".utf8), of: "ann", for: "bob")
        scenario.token(Self.ann, of: "cid", for: "bob", isRetained: true)
        scenario.token(Self.ann, of: "dan", for: "dan")
        scenario.token(Self.ann, of: "eve", for: "a b")
        #expect(complaints(scenario).count == 4)
        #expect(complaints(scenario).suffix(3) == [.token(.isRetained), .token(.isNoPair), .token(.isNoPair)])
        #expect(scenario.session(of: "ann", peer: "bob") == nil && scenario.session(of: "cid", peer: "bob") == nil)
        scenario.token([], of: "ann", for: "bob")
        #expect(complaints(scenario).count == 4)
    }

    @Test func `limits.peers bounds the pairs of a phone, and no accessory is made by being named`() {
        var options = EngineOptions.plain()
        options.limits.peers = 2
        var scenario = Scenario(options)
        for peer in ["a", "b", "c"] { scenario.token(Self.ann, of: "ann", for: peer) }
        #expect(complaints(scenario) == [.tooManyPeers])
        #expect(scenario.engine.joinedAccessories == 1)
    }

    @Test func `pairs that never came about are forgotten, with their tokens`() {
        var options = EngineOptions.plain()
        options.peerForget = .seconds(60)
        var scenario = Scenario(options)
        scenario.token(Self.ann, of: "ann", for: "bob")
        scenario.run(to: 100)
        #expect(scenario.session(of: "ann", peer: "bob") == nil)
        scenario.token(Self.bob, of: "bob", for: "ann")
        #expect(delivered(scenario) == [])
        #expect(missing(scenario, "bob", "ann") == ["ann"])
        #expect(scenario.violations == [])
    }

    @Test func `a phone is asked for no configuration data, whatever came first`() {
        var scenario = Scenario(EngineOptions.plain())
        scenario.availability(true, of: "ann")
        scenario.token(Self.ann, of: "ann", for: "bob")
        scenario.token(Self.bob, of: "bob", for: "ann")
        scenario.availability(true, of: "bob")
        scenario.run(to: 300)
        #expect(scenario.commands(of: nil).isEmpty)
        #expect(delivered(scenario).count > 8)
        // While one of them is away nobody is asked.
        scenario.availability(false, of: "bob")
        scenario.run(to: 310)
        let count = delivered(scenario).count
        scenario.run(to: 1000)
        #expect(delivered(scenario).count == count)
        scenario.availability(true, of: "bob")
        #expect(delivered(scenario).count == count + 2)
    }

    @Test func `offline has a grace for the pair, too`() {
        var scenario = ranging
        scenario.availability(true, of: "ann")
        scenario.availability(false, of: "ann")
        scenario.stay(at: 5, from: 1.1, to: 8, accessory: "bob", peer: "ann")
        scenario.run(to: 7)
        #expect(story(scenario, "bob").contains("ended 1 accessory_offline"))
    }

    @Test func `a removed phone ends the run of the other, and takes its token along`() {
        var scenario = ranging
        scenario.input(.remove("ann", isBlocked: false))
        #expect(story(scenario, "bob") == ["started 1", "ended 1 peer_ended"])
        #expect(story(scenario, "ann") == ["started 1", "ended 1 requested"])
        #expect(scenario.commands(of: nil).isEmpty)
        scenario.token([0xFF, 0xA2], of: "ann", for: "bob")
        #expect(delivered(scenario).count == 4)
        #expect(scenario.violations == [])
    }

    @Test func `after a restart both ends range on without tokens, which are asked for when needed`() {
        var scenario = ranging
        scenario.restart()
        scenario.subscribe()
        #expect(scenario.session(of: "bob", peer: "ann")?.state == .ranging)
        scenario.stay(at: 5, from: 1.1, to: 2, accessory: "ann", peer: "bob")
        scenario.run(to: 20)
        for phone in ["ann", "bob"] {
            #expect(story(scenario, phone) == ["started 1", "timeout 1 ranging", "required tokens_needed"])
        }
        #expect(missing(scenario, "ann", "bob") == ["ann", "bob"])
        scenario.token(Self.bob, of: "bob", for: "ann")
        #expect(missing(scenario, "ann", "bob") == ["ann"])
        scenario.token(Self.ann, of: "ann", for: "bob")
        #expect(delivered(scenario).suffix(2).allSatisfy { $0.hasSuffix(" 2") })
        #expect(scenario.violations == [])
    }

    @Test func `who was told the peer's end before a restart is told it after`() {
        var scenario = ranging
        scenario.ask(.invalidate(code: nil), of: "bob", peer: "ann")
        scenario.restart()
        scenario.subscribe()
        #expect(scenario.session(of: "bob", peer: "ann")?.state == .invalidated)
        #expect(scenario.session(of: "ann", peer: "bob")?.state == .ended)
        #expect(scenario.violations == [])
    }

    @Test func `a phone that also ranges an accessory keeps both apart`() {
        var options = EngineOptions.plain()
        options.session.shareable = .auto
        var scenario = Scenario(options)
        scenario.configure(BridgeEngineSessionsTests.data, of: "lamp")
        scenario.ask(.start, of: "lamp", peer: "ann")
        scenario.token(Self.ann, of: "ann", for: "lamp")
        #expect(scenario.session(of: "lamp", peer: "ann")?.kind == .uwb)
        scenario.token(Self.bob, of: "lamp", for: "ann")
        #expect(complaints(scenario) == [.token(.isOtherSession)])
        #expect(delivered(scenario) == [])
    }
}
