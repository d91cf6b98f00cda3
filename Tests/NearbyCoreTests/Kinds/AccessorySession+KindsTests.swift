// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// The life cycle (`reference/nearby-interaction.md` section 6.1) of accessories that take no commands.
@Suite struct AccessorySessionKindsTests {
    private static let known = SessionInput.configuration(SessionScenario.known, isRetained: false)
    private static let different = SessionInput.configuration(SessionScenario.different, isRetained: false)
    private static let names = BluetoothIdentifiers(current: "AA:01")

    private var background: SessionScenario {
        var scenario = SessionScenario()
        scenario.session.isBackground = true
        return scenario
    }

    private var channelSounding: SessionScenario {
        var scenario = SessionScenario()
        scenario.send(.channelSounding(Self.names, isRetained: false))
        return scenario
    }

    /// A session in the background whose first run is proved.
    private var ranging: SessionScenario {
        var scenario = background
        scenario.send(Self.known, .didStart, .range)
        return scenario
    }

    private func expect(_ scenario: SessionScenario, _ state: SessionState, in seconds: Double? = nil) {
        #expect(scenario.session.state == state)
        #expect(scenario.remaining == seconds)
        #expect(scenario.violations == [])
    }

    // MARK: In the background

    @Test func `configuration data is offered to phones, didStart begins, and the first range proves`() {
        var scenario = background
        #expect(scenario.send(Self.known) == ["changed"])
        expect(scenario, .configuring)
        #expect(scenario.session.offeredConfiguration == SessionScenario.known)
        #expect(scenario.send(.didStart) == ["changed"])
        expect(scenario, .starting, in: 3)
        #expect(scenario.session.offeredConfiguration == SessionScenario.known)
        #expect(scenario.send(.range) == ["started(1)", "changed"])
        expect(scenario, .ranging, in: 5)
        #expect(scenario.session.offeredConfiguration == nil)
        #expect(scenario.send(.didStart, .range, Self.known) == [])
    }

    @Test func `firmware that never says didStart is proved by its range`() {
        var scenario = background
        #expect(scenario.send(Self.known, .range) == ["changed", "started(1)", "changed"])
        expect(scenario, .ranging, in: 5)
        var bare = background
        #expect(bare.send(.range) == ["started(1)", "changed"])
    }

    @Test func `a start without a range is told once, and nothing is tried`() {
        var scenario = background
        scenario.send(Self.known, .didStart)
        #expect(scenario.wait(3) == ["timeout(1,start)", "changed"])
        expect(scenario, .silent)
        #expect(scenario.session.offeredConfiguration == nil)
        #expect(scenario.wait(1000) == [])
        #expect(scenario.send(.range) == ["started(1)", "changed"])
    }

    @Test func `removal by timeout: silence is told once, and the run goes on with the next range`() {
        var scenario = ranging
        #expect(scenario.wait(5) == ["timeout(1,ranging)", "changed"])
        expect(scenario, .silent)
        #expect(scenario.wait(1000) == [])
        #expect(scenario.send(.range) == ["changed"])
        expect(scenario, .ranging, in: 5)
        #expect(scenario.wait(5) == ["timeout(1,ranging)", "changed"])
        #expect(scenario.send(.didStart) == ["changed"])
        #expect(scenario.session.run == 2 && scenario.session.state == .starting)
    }

    @Test func `removal by peerEnded: the run ends, and a later range begins another`() {
        var scenario = ranging
        #expect(scenario.send(.signal(.ended)) == ["ended(1,peer_ended)", "left(sessionEnded)", "changed"])
        #expect(scenario.send(.range) == [])
        scenario.wait(2)
        #expect(scenario.send(.range) == ["started(2)", "changed"])
    }

    @Test func `the accessory stops: the run ends with that reason`() {
        var scenario = ranging
        #expect(scenario.send(.didStop) == ["ended(1,accessory_stopped)", "left(sessionEnded)", "changed"])
        expect(scenario, .ended)
        #expect(scenario.send(.didStop) == [])
        #expect(scenario.send(.didStart, .range) == ["changed", "started(2)", "changed"])
    }

    @Test func `what never began ends without an event`() {
        var scenario = background
        scenario.send(Self.known)
        #expect(scenario.send(.didStop) == ["changed"])
        expect(scenario, .ended)
        #expect(scenario.session.offeredConfiguration == nil)
    }

    @Test func `offline has a grace, and zones follow by lost_after`() {
        var scenario = ranging
        #expect(scenario.send(.availability(isOnline: false)) == [])
        scenario.wait(4)
        #expect(scenario.send(.availability(isOnline: true), .range) == [])
        #expect(scenario.wait(4.9) == [])
        scenario.send(.range, .availability(isOnline: false))
        scenario.wait(4)
        scenario.send(.range)
        #expect(scenario.wait(1) == ["ended(1,accessory_offline)", "changed"])
    }

    @Test func `pause: suspended drops ranges, and goes on with the same run`() {
        var scenario = ranging
        #expect(scenario.send(.suspend) == ["suspended(requested)", "left(suspended)", "changed"])
        expect(scenario, .suspended, in: 60)
        scenario.wait(3)
        #expect(scenario.send(.range, .didStart) == [])
        #expect(scenario.send(.resume) == ["resumed(requested)", "changed"])
        expect(scenario, .starting, in: 3)
        #expect(scenario.send(.range) == ["changed"])
        #expect(scenario.session.run == 1)
    }

    @Test func `suspended too long: invalidated, and only a start begins again`() {
        var scenario = ranging
        scenario.send(.suspend)
        #expect(scenario.wait(60) == ["invalidated(suspended_too_long,recoverable)", "changed"])
        #expect(scenario.send(.range, .didStart) == [])
        #expect(scenario.send(.start) == ["changed"])
        #expect(scenario.send(.range) == ["started(2)", "changed"])
    }

    @Test func `the other end's own pause ends with its next range`() {
        var scenario = ranging
        #expect(scenario.send(.signal(.suspended)) == ["suspended(peer_suspended)", "left(suspended)", "changed"])
        scenario.wait(3)
        #expect(scenario.send(.range) == ["resumed(peer_resumed)", "changed"])
        expect(scenario, .ranging, in: 5)
    }

    @Test func `init throws: data that an error has shown to be no good is not offered again`() {
        var scenario = ranging
        #expect(
            scenario.send(.invalidate(code: -5888))
                == ["invalidated(-5888,recoverable)", "left(sessionEnded)", "required", "changed"]
        )
        scenario.wait(3)
        #expect(scenario.send(Self.known) == [])
        #expect(scenario.send(Self.different) == ["changed"])
        #expect(scenario.session.offeredConfiguration == SessionScenario.different)
    }

    @Test(arguments: NearbyError.allCases)
    func `invalidated with an error: a phone begins anew by itself unless a person has to act`(_ error: NearbyError) {
        var scenario = ranging
        let isFinal = error.recovery == .never
        let words = scenario.send(.invalidate(code: error.rawValue))
        #expect(words.first == "invalidated(\(error.rawValue),\(isFinal ? "final" : "recoverable"))")
        scenario.wait(3)
        #expect(scenario.send(.range) == (isFinal ? [] : ["started(2)", "changed"]))
        if isFinal { #expect(scenario.send(.start) == ["changed"]) }
    }

    @Test func `different configuration data is another life of the accessory`() {
        var scenario = ranging
        #expect(
            scenario.send(Self.different)
                == ["ended(1,new_configuration)", "left(sessionEnded)", "changed", "changed"]
        )
        expect(scenario, .configuring)
        #expect(scenario.send(.configuration(SessionScenario.different, isRetained: true)) == [])
    }

    @Test func `a run that somebody stopped stays so, whatever comes, until somebody starts it`() {
        var scenario = ranging
        #expect(scenario.send(.stop) == ["ended(1,requested)", "left(sessionEnded)", "changed"])
        scenario.wait(10)
        #expect(scenario.session.refusesRanges)
        #expect(scenario.send(.range, .didStart) == [])
        #expect(scenario.send(.start, .range) == ["changed", "started(2)", "changed"])
        var idle = background
        #expect(idle.send(.stop) == ["changed"])
        #expect(idle.send(.range) == [])
    }

    @Test func `a source that speaks on change only is never silent`() {
        var scenario = background
        scenario.context.speaksOnChange = true
        scenario.send(Self.known, .didStart)
        expect(scenario, .starting)
        scenario.send(.range)
        expect(scenario, .ranging)
        #expect(scenario.send(.range, .sighted) == [])
        expect(scenario, .ranging)
    }

    // MARK: Becoming

    @Test func `an accessory that says in the middle of a handshake that it is paired is told nothing more`() {
        var starting = SessionScenario()
        #expect(starting.send(Self.known).contains(">start"))
        #expect(starting.send(.paired) == ["changed"])
        #expect(starting.wait(100) == ["timeout(1,start)", "changed"])
        var asking = SessionScenario()
        asking.send(.start)
        #expect(asking.send(.paired) == ["changed"])
        expect(asking, .idle)
        var retrying = SessionScenario()
        retrying.send(Self.known)
        retrying.wait(3)
        #expect(retrying.send(.paired) == ["changed"])
        expect(retrying, .configuring)
        var ranging = SessionScenario()
        ranging.send(Self.known, .range)
        #expect(ranging.send(.paired, .stop) == ["changed", "ended(1,requested)", "left(sessionEnded)", "changed"])
    }

    @Test func `whoever takes commands after all gets them`() {
        var scenario = background
        scenario.send(Self.known)
        #expect(scenario.send(.commanded) == ["changed"])
        #expect(scenario.send(.start) == [">start", "changed"])
        var silent = ranging
        silent.wait(5)
        #expect(silent.send(.commanded) == ["ended(1,new_configuration)", "left(sessionEnded)", "changed"])
        var sounding = channelSounding
        sounding.send(.range)
        #expect(sounding.send(.commanded) == ["ended(1,new_configuration)", "left(sessionEnded)", "changed"])
        #expect(sounding.session.identifiers == nil)
        #expect(sounding.send(Self.known) == [">start", "changed"])
    }

    // MARK: Bluetooth Channel Sounding

    @Test func `channel sounding needs no exchange: it starts until the first range, however long that takes`() {
        var scenario = SessionScenario()
        #expect(scenario.send(.channelSounding(Self.names, isRetained: false)) == ["changed"])
        expect(scenario, .starting)
        #expect(scenario.wait(10_000) == [])
        #expect(scenario.send(.range) == ["started(1)", "changed"])
        expect(scenario, .ranging, in: 5)
        #expect(scenario.wait(5) == ["timeout(1,ranging)", "changed"])
        expect(scenario, .silent)
        #expect(scenario.wait(10_000) == [])
        #expect(scenario.send(.range) == ["changed"])
        #expect(scenario.session.toldKind == .channelSounding)
    }

    @Test func `what the broker kept of channel sounding says nothing new`() {
        var scenario = channelSounding
        scenario.send(.range, .stop)
        #expect(scenario.send(.channelSounding(Self.names, isRetained: true)) == [])
        #expect(scenario.send(.channelSounding(Self.names, isRetained: false)) == ["changed"])
        expect(scenario, .starting)
    }

    @Test func `identifiers change while it ranges, and the one before is kept`() {
        var scenario = channelSounding
        scenario.send(.range)
        #expect(
            scenario.send(.channelSounding(BluetoothIdentifiers(current: "BB:02"), isRetained: false)) == ["changed"]
        )
        #expect(scenario.session.identifiers == BluetoothIdentifiers(current: "BB:02", previous: "AA:01"))
        #expect(scenario.session.state == .ranging)
        let told = BluetoothIdentifiers(current: "CC:03", previous: "ZZ:09")
        scenario.send(.channelSounding(told, isRetained: false))
        #expect(scenario.session.identifiers == told)
        #expect(scenario.send(.channelSounding(nil, isRetained: false)) == [])
    }

    @Test func `channel sounding is started, paused, stopped and invalidated without a command`() {
        var scenario = channelSounding
        scenario.send(.range)
        #expect(scenario.send(.suspend) == ["suspended(requested)", "left(suspended)", "changed"])
        #expect(scenario.send(.start) == ["resumed(requested)", "changed"])
        expect(scenario, .starting)
        #expect(scenario.send(.range) == ["changed"])
        #expect(scenario.send(.stop) == ["ended(1,requested)", "left(sessionEnded)", "changed"])
        #expect(scenario.send(.start, .range) == ["changed", "started(2)", "changed"])
        #expect(
            scenario.send(.invalidate(code: nil)) == ["invalidated(requested,final)", "left(sessionEnded)", "changed"]
        )
        #expect(scenario.send(.start) == ["changed"])
    }

    @Test func `channel sounding begins when it comes online, and again after it was away`() {
        var scenario = SessionScenario()
        scenario.session.kind = .channelSounding
        #expect(scenario.send(.availability(isOnline: true)) == ["changed"])
        scenario.send(.range, .availability(isOnline: false))
        scenario.wait(5)
        #expect(scenario.session.state == .ended)
        #expect(scenario.send(.availability(isOnline: true)) == ["changed"])
        expect(scenario, .starting)
    }

    @Test func `an ultra-wideband run ends without a word to an accessory that now has channel sounding`() {
        var scenario = SessionScenario()
        scenario.send(Self.known, .range)
        #expect(
            scenario.send(.channelSounding(Self.names, isRetained: false))
                == ["ended(1,new_configuration)", "left(sessionEnded)", "changed", "changed"]
        )
        expect(scenario, .starting)
        #expect(scenario.session.configuration == nil)
        var asking = SessionScenario()
        asking.send(.start, .channelSounding(Self.names, isRetained: false))
        expect(asking, .starting)
        #expect(asking.wait(1000) == [])
    }

    // MARK: Restarts

    @Test(arguments: [
        (SessionState.ranging, SessionState.ranging, ["timeout(7,ranging)", "changed"]), (.silent, .silent, []),
        (.starting, .starting, ["timeout(7,start)", "changed"]), (.configuring, .configuring, []),
        (.ended, .ended, []),
        (.suspended, .suspended, ["invalidated(suspended_too_long,recoverable)", "changed"]),
        (.invalidated, .invalidated, []), (.external, .idle, []),
    ])
    func `a session in the background goes on where an earlier life ended`(
        _ told: SessionState,
        _ state: SessionState,
        _ words: [String]
    ) {
        var scenario = SessionScenario()
        var restored = RestoredSession(state: told, run: 7, configuration: SessionScenario.known.encoded)
        restored.isBackground = true
        scenario.session.restore(restored, at: scenario.now)
        scenario.send(.sighted)
        #expect(scenario.session.state == state)
        let isOffered = told == .starting || told == .configuring
        #expect((scenario.session.offeredConfiguration == SessionScenario.known) == isOffered)
        #expect(scenario.wait(100) == words)
        #expect(!scenario.session.takesCommands)
    }

    @Test func `channel sounding goes on with its names after a restart`() {
        var scenario = SessionScenario()
        var restored = RestoredSession(state: .ranging, run: 7, configuration: [])
        restored.kind = .channelSounding
        restored.identifiers = Self.names
        scenario.session.restore(restored, at: scenario.now)
        scenario.send(.sighted)
        expect(scenario, .ranging, in: 5)
        #expect(scenario.send(.channelSounding(Self.names, isRetained: true), .range) == [])
        #expect(scenario.session.identifiers == Self.names)
    }
}
