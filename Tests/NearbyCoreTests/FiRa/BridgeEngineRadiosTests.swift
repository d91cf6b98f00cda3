// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct BridgeEngineRadiosTests {
    private static let data = BridgeEngineSessionsTests.data

    /// A lamp with a radio that is called by its address, and a phone.
    private static func options(_ change: (inout EngineOptions) -> Void = { _ in }) -> EngineOptions {
        .plain { options in
            var lamp = AccessoryOptions()
            var gate = PeerOptions()
            gate.name = "gate-1"
            gate.isRadio = true
            lamp.peers["0x0001"] = gate
            lamp.peers["phone"] = PeerOptions()
            options.accessories["lamp"] = lamp
            change(&options)
        }
    }

    /// Another radio, which has no address of its own.
    private static func addSecond(_ options: inout EngineOptions) {
        var gate = PeerOptions()
        gate.isRadio = true
        options.accessories["lamp"]?.peers["gate-2"] = gate
    }

    /// The radio's run, ranging since 0.1 s.
    private static func ranging(_ options: EngineOptions = options()) -> Scenario {
        var scenario = Scenario(options)
        scenario.configure(data)
        scenario.stay(at: 2, from: 0.1, to: 2, peer: "0x0001")
        scenario.run(to: 2)
        return scenario
    }

    @Test("A radio is told its part right after the accessory")
    func start() throws {
        var scenario = Scenario(Self.options())
        scenario.configure(Self.data)
        #expect(scenario.radioStory() == ["gate-1 start 1"])
        let place = try #require(
            scenario.records.firstIndex {
                guard case .command(let command) = $0.effect, case .configureAndStart = command.command else {
                    return false
                }
                return true
            }
        )
        guard case .radio(let command) = scenario.records[place + 1].effect else {
            Issue.record("\(scenario.records[place + 1])")
            return
        }
        let session = try #require(scenario.radioSessions().first)
        #expect(command.accessory == "lamp" && command.peer == "gate-1" && command.run == 1)
        let told = try #require(scenario.shareables().first?.parameters)
        #expect(session.stsIV == told.stsIV && session.sessionID == told.sessionID)
        #expect(session.address == told.destinationAddress && session.peerAddress.value == 0xD711)
        #expect(session.role == .responder)
        #expect(session.sessionID <= UInt32(Int32.max))
    }

    @Test("A radio called by its address keeps it, so its reports prove its run; another's is drawn")
    func addresses() throws {
        let scenario = Self.ranging(Self.options(Self.addSecond))
        #expect(scenario.radioStory() == ["gate-1 start 1", "gate-2 start 1"])
        #expect(scenario.commands().map(\.peer) == ["gate-1", "gate-2"])
        #expect(scenario.session(peer: "gate-1")?.state == .ranging)
        #expect(scenario.session(peer: "gate-2")?.state == .starting)
        #expect(scenario.story(peer: "gate-1") == ["enter near"])
        let addresses = scenario.radioSessions().map(\.address.value)
        #expect(addresses.count == 2 && addresses[0] == 1 && addresses[1] != 1 && addresses[1] != 0xD711)
    }

    @Test("A peer that is no radio, and the unnamed one, are not told anything")
    func others() {
        var scenario = Scenario(Self.options())
        scenario.ask(.start, peer: "phone")
        scenario.configure(Self.data)
        scenario.ask(.stop, peer: "phone")
        scenario.ask(.start)
        scenario.configure(Self.data)
        #expect(scenario.commandNames() == ["initialize", "start 1", "stop", "initialize", "start 1"])
        #expect(scenario.radioStory() == [])
    }

    @Test("Every end of a run is the radio's end too, whether the accessory is told or not")
    func ends() {
        var stopped = Self.ranging()
        stopped.ask(.stop, peer: "gate-1")
        #expect(stopped.radioStory() == ["gate-1 start 1", "gate-1 stop 1"])
        #expect(stopped.radioCommands().last?.kind == .stop(sessionID: stopped.radioSessions()[0].sessionID))
        var silent = Self.ranging()
        silent.message([3])
        #expect(silent.commandNames() == ["start 1"])
        #expect(silent.radioStory() == ["gate-1 start 1", "gate-1 stop 1"])
        var suspended = Self.ranging()
        suspended.ask(.suspend, peer: "gate-1")
        #expect(suspended.radioStory() == ["gate-1 start 1", "gate-1 stop 1"])
        suspended.run(to: 200)
        #expect(suspended.radioStory() == ["gate-1 start 1", "gate-1 stop 1"])
        var invalid = Self.ranging()
        invalid.ask(.invalidate(code: -5884), peer: "gate-1")
        #expect(invalid.radioStory() == ["gate-1 start 1", "gate-1 stop 1"])
        var away = Self.ranging(Self.options { $0.session.timeouts.silence = .seconds(60) })
        away.availability(false)
        away.run(to: 7.1)
        #expect(away.commandNames() == ["start 1"])
        #expect(away.radioStory() == ["gate-1 start 1", "gate-1 stop 1"])
        for scenario in [stopped, silent, suspended, invalid, away] { #expect(scenario.violations == []) }
    }

    @Test("A new run has new key material, and the radio ends the old one first")
    func ladder() {
        var scenario = Self.ranging()
        scenario.run(to: 200)
        #expect(
            scenario.radioStory() == [
                "gate-1 start 1", "gate-1 stop 1", "gate-1 start 2", "gate-1 stop 2", "gate-1 start 3",
                "gate-1 stop 3", "gate-1 start 4", "gate-1 stop 4",
            ]
        )
        let sessions = scenario.radioSessions()
        #expect(Set(sessions.map(\.stsIV)).count == 4 && Set(sessions.map(\.sessionID)).count == 4)
        let starts = scenario.shareables().compactMap(\.parameters)
        #expect(starts.map(\.stsIV) == sessions.map(\.stsIV))
        // Each end names the session that began before it.
        let ends = scenario.radioCommands().compactMap { command -> UInt32? in
            guard case .stop(let id) = command.kind else { return nil }
            return id
        }
        #expect(ends == sessions.map(\.sessionID))
    }

    @Test("A lost run goes on at the radio until the next begins: a late range may revive it")
    func revival() {
        var scenario = Self.ranging()
        scenario.run(to: 7.2)
        #expect(scenario.session(peer: "gate-1")?.state == .silent)
        #expect(scenario.radioStory() == ["gate-1 start 1"])
        scenario.send(2, at: 7.3, peer: "0x0001")
        scenario.run(to: 7.3)
        #expect(scenario.session(peer: "gate-1")?.state == .ranging)
        #expect(scenario.radioStory() == ["gate-1 start 1"])
    }

    @Test("Different configuration data ends the old run at the radio before the new one begins there")
    func reboot() {
        var scenario = Self.ranging()
        scenario.configure(AccessoryFixtures.bytes(AccessoryFixtures.a1, 33, 0x12))
        #expect(scenario.radioStory() == ["gate-1 start 1", "gate-1 stop 1", "gate-1 start 2"])
        #expect(scenario.radioSessions().map(\.peerAddress.value) == [0xD711, 0xD712])
    }

    @Test("An accessory that is removed leaves no radio ranging, and neither does one that is no radio any more")
    func removal() {
        var removed = Self.ranging()
        removed.input(.remove("lamp", isBlocked: false))
        #expect(removed.radioStory() == ["gate-1 start 1", "gate-1 stop 1"])
        var demoted = Self.ranging()
        demoted.input(
            .options(Self.options { $0.accessories["lamp"]?.peers["0x0001"]?.isRadio = false })
        )
        #expect(demoted.radioStory() == ["gate-1 start 1", "gate-1 stop 1"])
        #expect(demoted.session(peer: "gate-1")?.state == .ranging)
        demoted.ask(.stop, peer: "gate-1")
        #expect(demoted.radioStory().count == 2)
    }

    @Test("A radio that has another name meanwhile hears of the end under the old one")
    func renamed() {
        var scenario = Self.ranging()
        scenario.input(.options(Self.options { $0.accessories["lamp"]?.peers["0x0001"]?.name = "door" }))
        #expect(scenario.radioStory() == ["gate-1 start 1"])
        scenario.ask(.stop, peer: "door")
        #expect(scenario.radioStory() == ["gate-1 start 1", "gate-1 stop 1"])
    }

    @Test("After a restart a radio is told to end what an earlier life began, though nobody knows its id")
    func restart() {
        var scenario = Self.ranging()
        scenario.restart()
        scenario.subscribe()
        scenario.stay(at: 2, from: 2.1, to: 4, peer: "0x0001")
        scenario.run(to: 4)
        #expect(scenario.session(peer: "gate-1")?.state == .ranging)
        scenario.ask(.stop, peer: "gate-1")
        #expect(scenario.radioStory() == ["gate-1 start 1", "gate-1 stop 1"])
        #expect(scenario.radioCommands().last?.kind == .stop(sessionID: nil))
    }
}
