// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// Accessories that take no commands, by their topics.
@Suite struct BridgeEngineKindsTests {
    private static let data = BridgeEngineSessionsTests.data
    private static let sounding = #"{"technology":"ble-cs","identifier":"BB:02","previous_identifier":"AA:01"}"#

    private static func options(_ edit: (inout AccessoryOptions) -> Void) -> EngineOptions {
        var options = EngineOptions.plain()
        var lamp = AccessoryOptions()
        edit(&lamp)
        options.accessories["lamp"] = lamp
        return options
    }

    private func offers(_ scenario: Scenario) -> Int {
        scenario.records.count { record in
            if case .characteristic = record.effect { true } else { false }
        }
    }

    private func offered(_ scenario: Scenario) -> [UInt8]? {
        scenario.engine.accessory(named: "lamp").flatMap { scenario.engine.offeredConfiguration(of: $0)?.encoded }
    }

    // MARK: Bluetooth Channel Sounding

    @Test func `an accessory with channel sounding enters zones as others do, and is told nothing`() {
        var scenario = Scenario(EngineOptions.plain())
        scenario.configure(Array(Self.sounding.utf8))
        #expect(scenario.session()?.kind == .channelSounding && scenario.session()?.state == .starting)
        scenario.stay(at: 1, from: 0.1, to: 1)
        scenario.run(to: 100)
        #expect(scenario.commandNames() == [])
        #expect(
            scenario.wholeStory().filter { !$0.contains("dwell") } == [
                "- started 1", "- enter near", "- enter immediate", "- timeout 1 ranging", "- exit immediate lost",
                "- exit near lost",
            ]
        )
        #expect(scenario.session()?.state == .silent)
        #expect(scenario.violations == [])
    }

    @Test func `reports that call it by either identifier belong to it`() {
        var scenario = Scenario(EngineOptions.plain())
        scenario.configure(Array(Self.sounding.utf8))
        for name in ["AA:01", "BB:02"] {
            let index = scenario.engine.accessory(named: "lamp")
            var effects = EffectBuffer()
            var engine = scenario.engine
            #expect(engine.accessory(Array(name.utf8).span, at: scenario.now, into: &effects) == index)
        }
        scenario.send(2, at: 0.1, peer: "AA:01")
        scenario.run(to: 0.1)
        // It names itself: nobody in particular is at the other end.
        #expect(scenario.session()?.state == .ranging)
        #expect(scenario.retained()?.peers.isEmpty == true && scenario.retained()?.distance == 2)
        // A phone that reports its distance to it has one peer, whatever it is called.
        scenario.send(2, at: 0.2, from: "phone", peer: "AA:01")
        scenario.send(2, at: 0.3, from: "phone", peer: "BB:02")
        scenario.run(to: 0.3)
        #expect(scenario.retained("phone")?.peers.map(\.identifier) == ["lamp"])
        #expect(scenario.engine.joinedAccessories == 2)
    }

    @Test func `an identifier of another is refused aloud, and an accessory of that name goes before`() {
        var scenario = Scenario(EngineOptions.plain())
        scenario.configure(Array(Self.sounding.utf8))
        scenario.configure(Array(#"{"technology":"ble-cs","identifier":"AA:01"}"#.utf8), of: "desk")
        #expect(
            scenario.records.contains { record in
                if case .complaint(let complaint) = record.effect { complaint.kind == .identifierTaken } else { false }
            }
        )
        // Names that lead to each other lead nowhere else.
        var circle = Scenario(EngineOptions.plain())
        circle.configure(Array(#"{"technology":"ble-cs","identifier":"b"}"#.utf8), of: "a")
        circle.configure(Array(#"{"technology":"ble-cs","identifier":"a"}"#.utf8), of: "c")
        circle.send(1, at: 0.1, from: "phone", peer: "b")
        circle.send(1, at: 0.2, from: "phone", peer: "a")
        circle.run(to: 0.2)
        #expect(circle.retained("phone")?.peers.map(\.identifier) == ["a"])
    }

    @Test func `configuration data makes it an ultra-wideband accessory, unless the configuration says otherwise`() {
        var scenario = Scenario(EngineOptions.plain())
        scenario.configure(Array(Self.sounding.utf8))
        scenario.send(5, at: 0.1)
        scenario.run(to: 0.1)
        scenario.configure(Self.data)
        #expect(
            scenario.wholeStory()
                == ["- started 1", "- ended 1 newConfiguration"].map {
                    $0.replacing("newConfiguration", with: "new_configuration")
                }
        )
        #expect(scenario.commandNames() == ["start 2"])
        var fixed = Scenario(Self.options { $0.technology = .channelSounding })
        fixed.configure(Self.data)
        #expect(fixed.commandNames() == [] && fixed.session()?.kind == .channelSounding)
        fixed.availability(true)
        #expect(fixed.session()?.state == .starting)
        fixed.run(to: 100)
        #expect(fixed.commandNames() == [])
        var uwb = Scenario(Self.options { $0.technology = .uwb })
        uwb.configure(Array(Self.sounding.utf8))
        #expect(uwb.session()?.kind == .uwb && uwb.session()?.state == .idle)
    }

    @Test func `channel sounding survives a restart with its names, and is told nothing after it`() {
        var scenario = Scenario(EngineOptions.plain())
        scenario.configure(Array(Self.sounding.utf8))
        scenario.stay(at: 1, from: 0.1, to: 2)
        scenario.run(to: 2)
        scenario.restart()
        scenario.subscribe()
        scenario.configure(Array(Self.sounding.utf8), isRetained: true)
        #expect(scenario.session()?.state == .ranging)
        scenario.stay(at: 1, from: 2.1, to: 3)
        scenario.run(to: 3)
        #expect(scenario.session()?.identifiers == BluetoothIdentifiers(current: "BB:02", previous: "AA:01"))
        #expect(scenario.wholeStory() == ["- started 1", "- enter near", "- enter immediate"])
        var effects = EffectBuffer()
        var engine = scenario.engine
        let found = engine.accessory(Array("AA:01".utf8).span, at: scenario.now, into: &effects)
        #expect(found == engine.accessory(named: "lamp"))
        #expect(scenario.violations == [])
    }

    @Test func `a removed accessory is called nothing any more, and gets no stop`() {
        var scenario = Scenario(EngineOptions.plain())
        scenario.configure(Array(Self.sounding.utf8))
        scenario.send(1, at: 0.1)
        scenario.run(to: 0.1)
        scenario.input(.remove("lamp", isBlocked: false))
        #expect(scenario.commandNames() == [])
        #expect(scenario.wholeStory().contains("- ended 1 requested"))
        #expect(scenario.engine.airNames.isEmpty)
    }

    @Test func `reports while it is stopped are counted and decide nothing`() {
        var scenario = Scenario(EngineOptions.plain())
        scenario.configure(Array(Self.sounding.utf8))
        scenario.stay(at: 1, from: 0.1, to: 1)
        scenario.run(to: 1)
        scenario.ask(.stop)
        scenario.stay(at: 1, from: 5, to: 6)
        scenario.run(to: 6)
        #expect(
            scenario.story() == [
                "enter near", "enter immediate", "exit immediate sessionEnded", "exit near sessionEnded",
            ]
        )
        #expect(scenario.engine.counters.outsideSession == 10)
        scenario.ask(.start)
        scenario.stay(at: 1, from: 6.1, to: 7)
        scenario.run(to: 7)
        #expect(scenario.story().suffix(2) == ["enter near", "enter immediate"])
    }

    // MARK: In the background

    @Test(arguments: [true, false])
    func `a session in the background is followed from didStart to didStop without a command`(_ isSaid: Bool) {
        var scenario = Scenario(isSaid ? EngineOptions.plain() : Self.options { $0.isBackground = true })
        if isSaid { scenario.message([0x04]) }
        scenario.message([0x01] + Self.data)
        #expect(scenario.session()?.state == .configuring && offered(scenario) == Self.data)
        scenario.message([0x02])
        #expect(scenario.session()?.state == .starting && offered(scenario) == Self.data)
        scenario.stay(at: 1, from: 0.1, to: 1)
        scenario.run(to: 1)
        #expect(scenario.session()?.state == .ranging && offered(scenario) == nil)
        #expect(offers(scenario) == 2)
        scenario.message([0x03])
        scenario.run(to: 200)
        #expect(
            scenario.wholeStory() == [
                "- started 1", "- enter near", "- enter immediate", "- ended 1 accessory_stopped",
                "- exit immediate sessionEnded", "- exit near sessionEnded",
            ]
        )
        #expect(scenario.commandNames() == [])
        #expect(scenario.violations == [])
    }

    @Test func `an accessory that says it is paired when it may not be is run by commands`() {
        var scenario = Scenario(Self.options { $0.isBackground = false })
        scenario.message([0x04])
        scenario.configure(Self.data)
        #expect(scenario.commandNames() == ["start 1"])
    }

    @Test func `offline clears what was offered, after its grace`() {
        var scenario = Scenario(Self.options { $0.isBackground = true })
        scenario.configure(Self.data)
        scenario.availability(true)
        scenario.availability(false)
        scenario.run(to: 4)
        #expect(offered(scenario) == Self.data)
        scenario.run(to: 6)
        #expect(offered(scenario) == nil && offers(scenario) == 2)
        #expect(scenario.session()?.state == .ended && scenario.wholeStory() == [])
    }

    @Test(arguments: [SessionState.configuring, .ranging, .silent])
    func `a session in the background survives a restart, and offers what it offered`(_ state: SessionState) {
        var scenario = Scenario(EngineOptions.plain())
        scenario.message([0x04])
        scenario.configure(Self.data)
        if state != .configuring { scenario.send(5, at: 0.1) }
        scenario.run(to: state == .silent ? 30 : 0.2)
        #expect(scenario.session()?.state == state)
        scenario.restart()
        scenario.subscribe()
        #expect(scenario.session()?.state == state && scenario.session()?.isBackground == true)
        #expect((offered(scenario) == Self.data) == (state == .configuring))
        scenario.run(to: 300)
        #expect(scenario.commandNames() == [])
        #expect(scenario.wholeStory().count { $0.contains("timeout") } == (state == .configuring ? 0 : 1))
        #expect(scenario.violations == [])
    }

    @Test func `a source that reports by exception is never silent and never lost in the background`() {
        var scenario = Scenario(
            Self.options {
                $0.isBackground = true
                $0.reports = .byException
            }
        )
        scenario.configure(Self.data)
        scenario.send(1, at: 0.1)
        scenario.run(to: 10_000)
        #expect(scenario.session()?.state == .ranging)
        #expect(scenario.wholeStory() == ["- started 1", "- enter near", "- enter immediate"])
    }

    @Test func `the configuration may change its mind while it runs`() {
        var scenario = Scenario(EngineOptions.plain())
        scenario.configure(Self.data)
        scenario.send(5, at: 0.1)
        scenario.run(to: 0.1)
        scenario.input(.options(Self.options { $0.isBackground = true }))
        #expect(scenario.session()?.isBackground == true && scenario.session()?.state == .ranging)
        scenario.input(.options(Self.options { $0.technology = .channelSounding }))
        #expect(scenario.session()?.kind == .channelSounding)
        scenario.run(to: 100)
        #expect(scenario.commandNames() == ["start 1"])
        scenario.input(.options(Self.options { $0.technology = .uwb }))
        #expect(scenario.session()?.kind == .uwb)
        scenario.configure(Self.data)
        #expect(scenario.commandNames() == ["start 1", "start 3"])
        #expect(scenario.violations == [])
    }
}
