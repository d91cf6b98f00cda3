// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct BridgeEngineAnnouncementsTests {
    private static let site = #"{"technology":"dl-tdoa","network_identifier":4660,"name":"Gate"}"#

    private func announcement(_ scenario: Scenario) -> AccessoryAnnouncement? {
        scenario.engine.accessory(named: "lamp").map { scenario.engine.announcement(of: $0) }
    }

    private func describe(_ scenario: inout Scenario, _ text: String, isRetained: Bool = false) {
        scenario.configure(Array(text.utf8), isRetained: isRetained)
    }

    @Test("What an accessory says of itself is kept and told, also after a restart")
    func kept() {
        var scenario = Scenario(.plain())
        let data = #""data":"\#(AccessoryFixtures.a1)""#
        describe(&scenario, #"{\#(data),"name":"Desk lamp","technology":"uwb","capabilities":{"direction":true}}"#)
        #expect(scenario.retained()?.capabilities == [.direction])
        #expect(scenario.retained()?.name == "Desk lamp")
        #expect(announcement(scenario)?.technology == .uwb)
        scenario.stay(at: 2, from: 0.1, to: 1, peer: "alice")
        scenario.run(to: 1)
        #expect(scenario.retained(peer: "alice")?.capabilities == [.direction])
        scenario.restart()
        scenario.subscribe()
        scenario.send(2, at: 2, peer: "alice")
        scenario.run(to: 2)
        #expect(scenario.retained()?.capabilities == [.direction])
        #expect(scenario.retained()?.name == "Desk lamp")
        #expect(scenario.violations == [])
    }

    @Test("The configuration's name and capabilities go first")
    func configured() {
        var lamp = AccessoryOptions()
        lamp.name = "Ours"
        lamp.capabilities = [.preciseDistance]
        var scenario = Scenario(.plain { $0.accessories["lamp"] = lamp })
        describe(&scenario, #"{"technology":"ble-cs","name":"Theirs","capabilities":{"direction":true}}"#)
        #expect(scenario.retained()?.name == "Ours")
        #expect(scenario.retained()?.capabilities == [.preciseDistance])
        scenario.input(.options(.plain()))
        #expect(scenario.retained()?.name == "Theirs")
        #expect(scenario.retained()?.capabilities == [.direction])
    }

    @Test("The same once more is no news, and bytes say nothing of names")
    func again() {
        var scenario = Scenario(.plain())
        describe(&scenario, #"{"technology":"ble-cs","name":"Tag"}"#)
        let count = scenario.records.count
        describe(&scenario, #"{"technology":"ble-cs","name":"Tag"}"#, isRetained: true)
        #expect(scenario.records.count == count)
        scenario.configure(BridgeEngineSessionsTests.data)
        #expect(announcement(scenario)?.name == "Tag")
    }

    @Test("DL-TDoA exchanges nothing: its session is external, and begins with its first report")
    func downlink() {
        var scenario = Scenario(.plain())
        describe(&scenario, Self.site)
        #expect(announcement(scenario)?.networkIdentifier == 4660)
        scenario.availability(true)
        scenario.run(to: 20)
        scenario.ask(.start)
        scenario.ask(.start, peer: "alice")
        scenario.run(to: 40)
        #expect(scenario.commands() == [])
        #expect(scenario.wholeStory() == [])
        #expect(scenario.session()?.state == .idle)
        scenario.send(2, at: 41)
        scenario.run(to: 41)
        #expect(scenario.session()?.state == .external)
        scenario.availability(false)
        scenario.availability(true)
        scenario.run(to: 80)
        #expect(scenario.commands() == [])
        #expect(scenario.session()?.state == .external)
    }

    @Test("Configuration data makes a UWB accessory of it, and the other way round ends the run")
    func changes() {
        var scenario = Scenario(.plain())
        describe(&scenario, Self.site)
        scenario.configure(BridgeEngineSessionsTests.data)
        #expect(scenario.commandNames() == ["start 1"])
        #expect(announcement(scenario)?.technology == nil)
        #expect(announcement(scenario)?.networkIdentifier == nil)
        describe(&scenario, Self.site)
        #expect(scenario.commandNames() == ["start 1", "stop"])
        #expect(scenario.session()?.state == .ended)
        scenario.message([1] + BridgeEngineSessionsTests.data)
        #expect(scenario.session()?.state == .starting)
        describe(&scenario, #"{"technology":"dl-tdoa","data":"\#(AccessoryFixtures.a1)"}"#)
        #expect(scenario.session()?.state == .ended)
    }

    @Test("A restart goes on without an exchange")
    func restart() {
        var scenario = Scenario(.plain())
        describe(&scenario, Self.site)
        scenario.send(2, at: 1)
        scenario.run(to: 1)
        scenario.restart()
        scenario.subscribe()
        scenario.availability(true)
        scenario.run(to: 30)
        #expect(scenario.commands() == [])
        #expect(announcement(scenario)?.networkIdentifier == 4660)
        #expect(announcement(scenario)?.technology == .downlinkTDoA)
    }

    @Test("A name that an earlier life cannot have written is not taken over", arguments: ["", "a\nb"])
    func restoredName(_ name: String) {
        var announced = AccessoryAnnouncement()
        announced.name = name
        announced.capabilities = .direction
        #expect(announced.checked.name == nil)
        #expect(announced.checked.capabilities == .direction)
        #expect(AccessoryAnnouncement().isEmpty)
        #expect(!announced.isEmpty)
    }
}
