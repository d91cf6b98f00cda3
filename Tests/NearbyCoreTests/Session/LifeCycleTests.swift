// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// Every row of `reference/nearby-interaction.md` section 6.1 and 6.2, whoever makes the shareable configuration data.
@Suite struct LifeCycleTests {
    private static let data = AccessoryFixtures.bytes(AccessoryFixtures.a1)
    private static let captures = [AccessoryFixtures.s1, AccessoryFixtures.s2, AccessoryFixtures.s3].map {
        AccessoryFixtures.bytes($0)
    }

    private func scenario(_ mode: ShareableMode) -> Scenario { Scenario(.plain { $0.session.shareable = mode }) }

    /// Sends configuration data, and what the phone answers where one is asked.
    private func begin(_ scenario: inout Scenario, _ mode: ShareableMode, capture: Int = 0) {
        scenario.configure(Self.data)
        answer(&scenario, mode, capture)
    }

    private func answer(_ scenario: inout Scenario, _ mode: ShareableMode, _ capture: Int) {
        if mode == .relay { scenario.share(Self.captures[capture]) }
    }

    /// A lamp that ranges, inside both zones since second 0; it is second 2.
    private func ranging(_ mode: ShareableMode) -> Scenario {
        var scenario = scenario(mode)
        begin(&scenario, mode)
        scenario.stay(at: 1, from: 0, to: 2)
        scenario.run(to: 2)
        return scenario
    }

    private func news(_ scenario: Scenario, since count: Int) -> [String] {
        Array(scenario.wholeStory().dropFirst(count))
    }

    private static let gone = ["- exit immediate sessionEnded", "- exit near sessionEnded"]

    // MARK: 6.1

    @Test(arguments: [ShareableMode.mint, .relay])
    func `init(data) throws: malformed data is reported and begins nothing`(_ mode: ShareableMode) {
        var scenario = scenario(mode)
        scenario.configure(Array(Self.data.prefix(20)))
        #expect(scenario.wholeStory() == ["- rejected"])
        #expect(scenario.commands() == [] && scenario.session()?.state == .idle)
    }

    @Test(arguments: [ShareableMode.mint, .relay])
    func `run: configuration data begins a run, and the first range shows that it runs`(_ mode: ShareableMode) {
        let scenario = ranging(mode)
        #expect(scenario.wholeStory() == ["- started 1", "- enter near", "- enter immediate"])
        #expect(scenario.session()?.state == .ranging && scenario.violations == [])
    }

    @Test(arguments: [ShareableMode.mint, .relay])
    func `didGenerateShareableConfigurationData: it is sent at once, as it is`(_ mode: ShareableMode) {
        var scenario = scenario(mode)
        begin(&scenario, mode)
        #expect(scenario.commandNames() == ["start 1"])
        if mode == .relay { #expect(scenario.shareables().map(\.encoded) == [Self.captures[0]]) }
        #expect(scenario.session()?.state == .starting)
    }

    @Test(arguments: [ShareableMode.mint, .relay])
    func `didUpdate: distance alone is enough, with a direction there is more to tell`(_ mode: ShareableMode) {
        var scenario = ranging(mode)
        #expect(scenario.retained()?.measurement == .distance)
        scenario.send(1, at: 2.1, fields: #","direction":[0,0,-1]"#)
        scenario.run(to: 2.1)
        #expect(scenario.retained()?.measurement == .distanceAndDirection)
    }

    @Test(arguments: [ShareableMode.mint, .relay])
    func `didRemove timeout: the same session runs again with new shareable data`(_ mode: ShareableMode) {
        var scenario = ranging(mode)
        let count = scenario.wholeStory().count
        scenario.run(to: 7.5)
        #expect(news(scenario, since: count) == ["- timeout 1 ranging", "- retry 1 rerun"])
        scenario.run(to: 9)
        answer(&scenario, mode, 1)
        #expect(scenario.commandNames() == ["start 1", "start 2"])
        #expect(scenario.shareables().count == 2 && scenario.shareables()[0] != scenario.shareables()[1])
    }

    @Test(arguments: [ShareableMode.mint, .relay])
    func `didRemove peerEnded: nothing is tried again`(_ mode: ShareableMode) {
        var scenario = ranging(mode)
        let count = scenario.wholeStory().count
        scenario.ask(.signal(.ended))
        #expect(news(scenario, since: count) == ["- ended 1 peer_ended"] + Self.gone)
        scenario.run(to: 300)
        #expect(scenario.commandNames() == ["start 1", "stop"])
    }

    @Test(arguments: [ShareableMode.mint, .relay])
    func `pause: the other end sees silence, and a run resumes it`(_ mode: ShareableMode) {
        var scenario = ranging(mode)
        scenario.ask(.signal(.suspended))
        #expect(scenario.session()?.state == .suspended)
        scenario.ask(.signal(.resumed))
        #expect(scenario.session()?.state == .ranging)
        #expect(scenario.commandNames() == ["start 1"])
    }

    @Test(arguments: [ShareableMode.mint, .relay])
    func `sessionWasSuspended: the accessory is told to stop, and nothing runs`(_ mode: ShareableMode) {
        var scenario = ranging(mode)
        let count = scenario.wholeStory().count
        scenario.ask(.suspend)
        #expect(
            news(scenario, since: count) == [
                "- suspended requested", "- exit immediate suspended", "- exit near suspended",
            ]
        )
        scenario.configure(Self.data)
        #expect(scenario.commandNames() == ["start 1", "stop"])
    }

    @Test(arguments: [ShareableMode.mint, .relay])
    func `sessionSuspensionEnded: it goes on when somebody says so, with a fresh configuration`(_ mode: ShareableMode) {
        var scenario = ranging(mode)
        scenario.ask(.suspend)
        scenario.run(to: 30)
        #expect(scenario.session()?.state == .suspended)
        scenario.ask(.resume)
        #expect(scenario.commandNames() == ["start 1", "stop", "initialize"])
        scenario.configure(Self.data)
        answer(&scenario, mode, 1)
        #expect(scenario.commandNames().last == "start 2")
    }

    @Test(arguments: [ShareableMode.mint, .relay])
    func `suspended too long: it is invalidated, and a new session may begin`(_ mode: ShareableMode) {
        var scenario = ranging(mode)
        scenario.ask(.suspend)
        let count = scenario.wholeStory().count
        scenario.run(to: 63)
        #expect(news(scenario, since: count) == ["- invalidated suspended_too_long"])
        begin(&scenario, mode, capture: 1)
        #expect(scenario.commandNames().last == "start 2")
    }

    @Test(arguments: [ShareableMode.mint, .relay])
    func `invalidate: terminal, the accessory stops, and only a person begins anew`(_ mode: ShareableMode) {
        var scenario = ranging(mode)
        let count = scenario.wholeStory().count
        scenario.ask(.invalidate(code: nil))
        #expect(news(scenario, since: count) == ["- invalidated requested"] + Self.gone)
        scenario.configure(Self.data)
        #expect(scenario.commandNames() == ["start 1", "stop"])
        scenario.ask(.start)
        answer(&scenario, mode, 1)
        #expect(scenario.session()?.state == .starting)
    }

    // MARK: 6.2

    @Test(arguments: NearbyError.allCases, [ShareableMode.mint, .relay])
    func `didInvalidateWith: each error has its own way`(_ error: NearbyError, _ mode: ShareableMode) {
        var scenario = ranging(mode)
        let count = scenario.wholeStory().count
        scenario.ask(.invalidate(code: error.rawValue))
        #expect(news(scenario, since: count).first == "- invalidated \(error.word)")
        #expect(Self.gone.allSatisfy(news(scenario, since: count).contains))
        #expect(scenario.commandNames() == ["start 1", "stop"])
        scenario.run(to: 20)
        switch error.recovery {
        case .retry:
            // Only a new session helps: the ladder begins at the top.
            #expect(news(scenario, since: count).contains("- retry 4 reinitialize"))
            #expect(scenario.commandNames().contains("initialize"))
        case .newConfiguration:
            #expect(news(scenario, since: count).last == "- required invalid_configuration")
            // What failed once would fail again; something else may do.
            scenario.configure(Self.data)
            #expect(scenario.session()?.state == .invalidated)
            scenario.configure(AccessoryFixtures.bytes(AccessoryFixtures.a1, 33, 0x12))
            #expect(scenario.session()?.state == (mode == .mint ? .starting : .configuring))
        case .never:
            scenario.configure(AccessoryFixtures.bytes(AccessoryFixtures.a1, 33, 0x12))
            scenario.run(to: 300)
            #expect(scenario.session()?.state == .invalidated)
            #expect(scenario.commandNames() == ["start 1", "stop"])
        }
        #expect(scenario.violations == [])
    }
}
