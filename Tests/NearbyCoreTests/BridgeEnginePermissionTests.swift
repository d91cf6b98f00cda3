// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// Nothing ranges before it is allowed.
@Suite struct BridgeEnginePermissionTests {
    private static let data = BridgeEngineSessionsTests.data
    private static let forGood = Int64.max

    private static func options(_ change: (inout EngineOptions) -> Void = { _ in }) -> EngineOptions {
        .plain {
            $0.session.authorization = .ask
            change(&$0)
        }
    }

    private func grant(_ scenario: inout Scenario, peer: String? = nil, until: Int64 = forGood) {
        scenario.input(.grant("lamp", peer: peer, until: until))
    }

    @Test func `configuration data waits for permission, told once, and then begins`() {
        var scenario = Scenario(Self.options())
        scenario.configure(Self.data)
        scenario.configure(Self.data)
        #expect(scenario.wholeStory() == ["- authorize not_authorized"])
        #expect(scenario.commands() == [] && scenario.session()?.state == .awaitingAuthorization)
        grant(&scenario)
        #expect(scenario.commandNames() == ["start 1"])
        scenario.stay(at: 1, from: 0, to: 2)
        scenario.run(to: 2)
        #expect(scenario.wholeStory().suffix(3) == ["- started 1", "- enter near", "- enter immediate"])
        #expect(scenario.violations == [])
    }

    @Test func `an accessory that only reports decides nothing before it may`() {
        var scenario = Scenario(Self.options())
        scenario.stay(at: 1, from: 0, to: 2)
        scenario.run(to: 2)
        #expect(scenario.wholeStory() == ["- authorize not_authorized"])
        #expect(scenario.engine.counters.outsideSession == 20 && scenario.commands() == [])
        grant(&scenario)
        scenario.stay(at: 1, from: 2.1, to: 4)
        scenario.run(to: 4)
        #expect(scenario.wholeStory().suffix(2) == ["- enter near", "- enter immediate"])
        #expect(scenario.session()?.state == .external && scenario.commands() == [])
        #expect(scenario.violations == [])
    }

    @Test func `a start that was asked for waits, and asks the accessory once it may`() {
        var scenario = Scenario(Self.options())
        scenario.ask(.start)
        #expect(scenario.wholeStory() == ["- authorize not_authorized"] && scenario.commands() == [])
        grant(&scenario)
        #expect(scenario.commandNames() == ["initialize"])
    }

    @Test func `what is taken back ends the run with the framework's word for it`() {
        var scenario = Scenario(Self.options())
        grant(&scenario)
        scenario.configure(Self.data)
        scenario.stay(at: 1, from: 0, to: 2)
        scenario.run(to: 2)
        let count = scenario.wholeStory().count
        scenario.input(.revoke("lamp", peer: nil))
        #expect(
            Array(scenario.wholeStory().dropFirst(count)) == [
                "- invalidated user_did_not_allow", "- exit immediate sessionEnded", "- exit near sessionEnded",
            ]
        )
        #expect(scenario.commandNames() == ["start 1", "stop"])
        #expect(scenario.session()?.state == .awaitingAuthorization)
        scenario.stay(at: 1, from: 2.1, to: 5)
        scenario.run(to: 5)
        scenario.configure(Self.data)
        #expect(scenario.wholeStory().count == count + 3 && scenario.commandNames().count == 2)
        grant(&scenario)
        #expect(scenario.commandNames() == ["start 1", "stop", "start 2"])
        #expect(scenario.violations == [])
    }

    @Test func `a permission ends when its time is over`() {
        var scenario = Scenario(Self.options { $0.unixMillisecondsAtOrigin = 1_764_000_000_000 })
        let now = scenario.now.nanoseconds / 1_000_000
        grant(&scenario, until: 1_764_000_000_000 + now + 10_000)
        scenario.configure(Self.data)
        scenario.stay(at: 1, from: 0, to: 12)
        scenario.run(to: 9.9)
        #expect(scenario.session()?.state == .ranging)
        scenario.run(to: 12)
        #expect(scenario.session()?.state == .awaitingAuthorization)
        #expect(scenario.wholeStory().contains("- invalidated user_did_not_allow"))
        #expect(scenario.engine.membership.grants.isEmpty && scenario.engine.admission.nextExpiry == nil)
    }

    @Test func `the accessory's permission covers its peers, unless one needs its own`() {
        var lamp = AccessoryOptions()
        lamp.peers["guest"] = PeerOptions()
        lamp.peers["guest"]?.authorization = .ask
        var scenario = Scenario(Self.options { $0.accessories["lamp"] = lamp })
        scenario.ask(.start, peer: "alice")
        scenario.ask(.start, peer: "guest")
        grant(&scenario)
        #expect(scenario.commands().map(\.peer) == ["alice"])
        grant(&scenario, peer: "guest")
        #expect(scenario.commands().map(\.peer) == ["alice", "guest"])
        scenario.input(.revoke("lamp", peer: nil))
        #expect(scenario.session(peer: "alice")?.state == .awaitingAuthorization)
        #expect(scenario.session(peer: "guest")?.state == .awaitingConfiguration)
    }

    @Test func `what the configuration says nearest counts, and a change is heard at once`() {
        var options = Self.options()
        options.accessories["lamp"] = AccessoryOptions()
        options.accessories["lamp"]?.authorization = .open
        var scenario = Scenario(options)
        scenario.configure(Self.data)
        scenario.configure(Self.data, of: "other")
        #expect(scenario.commands(of: nil).map(\.accessory) == ["lamp"])
        options.session.authorization = .open
        scenario.input(.options(options))
        #expect(scenario.commands(of: nil).map(\.accessory) == ["lamp", "other"])
        options.accessories["lamp"]?.authorization = .ask
        scenario.input(.options(options))
        #expect(scenario.session()?.state == .awaitingAuthorization)
    }

    @Test func `an accessory that is removed is allowed nothing when it comes again`() {
        var scenario = Scenario(Self.options())
        grant(&scenario)
        grant(&scenario, peer: "alice")
        scenario.configure(Self.data)
        scenario.input(.remove("lamp", isBlocked: false))
        #expect(scenario.engine.membership.grants.isEmpty)
        scenario.configure(Self.data)
        #expect(scenario.session()?.state == .awaitingAuthorization)
    }

    @Test func `two phones get each other's tokens once both are allowed, and not for long`() {
        var scenario = Scenario(Self.options())
        func delivered(_ scenario: Scenario) -> Int {
            scenario.records.count { if case .peerToken = $0.effect { true } else { false } }
        }
        scenario.token([1, 2], of: "ann", for: "bob")
        scenario.token([3, 4], of: "bob", for: "ann")
        #expect(delivered(scenario) == 0)
        scenario.input(.grant("ann", peer: nil, until: Self.forGood))
        #expect(delivered(scenario) == 0)
        #expect(scenario.engine.waitingForPermission(AccessoryIndex(0)) == ["bob"])
        scenario.input(.grant("bob", peer: nil, until: Self.forGood))
        #expect(delivered(scenario) == 2)
        #expect(scenario.session(of: "ann", peer: "bob")?.state == .starting)
        scenario.input(.revoke("bob", peer: nil))
        #expect(scenario.session(of: "ann", peer: "bob")?.state == .awaitingAuthorization)
        scenario.input(.grant("bob", peer: nil, until: Self.forGood))
        #expect(delivered(scenario) == 4)
        #expect(scenario.violations == [])
    }

    @Test func `what takes no commands waits for permission too`() {
        var scenario = Scenario(Self.options())
        scenario.configure(Array(#"{"technology":"ble-cs","identifier":"AA:BB"}"#.utf8))
        scenario.message([4], of: "fob")
        scenario.configure(Self.data, of: "fob")
        #expect(scenario.session()?.state == .awaitingAuthorization)
        #expect(scenario.session(of: "fob")?.state == .awaitingAuthorization)
        // Nothing that a phone could read to begin by itself.
        #expect(scenario.session(of: "fob")?.offeredConfiguration == nil)
        grant(&scenario)
        scenario.input(.grant("fob", peer: nil, until: Self.forGood))
        #expect(scenario.session()?.state == .starting && scenario.session(of: "fob")?.state == .configuring)
        #expect(scenario.session(of: "fob")?.offeredConfiguration != nil && scenario.commands(of: nil) == [])
        #expect(scenario.violations == [])
    }

    @Test func `who waits is listed`() {
        var scenario = Scenario(Self.options())
        scenario.configure(Self.data)
        scenario.ask(.start, peer: "alice")
        #expect(scenario.engine.waitingForPermission(AccessoryIndex(0)) == [nil, "alice"])
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `whatever comes, nothing is sent and no zone changes before a grant`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var scenario = Scenario(Self.options { $0.session.shareable = seed % 2 == 0 ? .mint : .relay })
        let inputs: [SessionInput] = [
            .start, .stop, .suspend, .resume, .invalidate(code: nil), .invalidate(code: -5887), .signal(.ended),
            .signal(.exhausted),
        ]
        var second = 0.0
        for _ in 0..<60 {
            let peer = Bool.random(using: &random) ? "alice" : nil
            switch Int.random(in: 0..<8, using: &random) {
            case 0: scenario.configure(Self.data)
            case 1: scenario.message([UInt8.random(in: 1...4, using: &random)])
            case 2: scenario.availability(Bool.random(using: &random))
            case 3: scenario.share(AccessoryFixtures.bytes(AccessoryFixtures.s1), from: peer)
            case 4: inputs.randomElement(using: &random).map { scenario.ask($0, peer: peer) }
            default:
                scenario.stay(at: 1, from: second, to: second + 1, peer: peer)
                second += 1
            }
            scenario.run(to: second)
        }
        let isTouched = scenario.records.contains { record in
            switch record.effect {
            case .command, .phoneConfiguration, .event: true
            default: false
            }
        }
        #expect(!isTouched)
        #expect(scenario.violations == [])
    }
}
