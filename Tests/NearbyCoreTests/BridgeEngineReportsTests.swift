// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEngineReportsTests {
    private func complaints(_ scenario: Scenario) -> [Complaint] {
        scenario.records.compactMap { if case .complaint(let complaint) = $0.effect { complaint } else { nil } }
    }

    // MARK: What makes an event

    @Test func `the first report needs a second one that confirms it`() {
        var scenario = Scenario(.plain())
        scenario.send(1, at: 0)
        scenario.run(to: 3)
        #expect(scenario.story() == [])
        scenario.send(1, at: 3)
        scenario.run(to: 3)
        #expect(scenario.story() == ["enter near", "enter immediate"])
    }

    @Test func `a single spike at the beginning makes no event`() {
        var scenario = Scenario()
        scenario.send(0.3, at: 0)
        scenario.stay(at: 9, from: 0.1, to: 3)
        scenario.run(to: 3)
        #expect(scenario.story() == [])
        #expect(scenario.retained()?.zone == "outside")
    }

    @Test func `the first report in the hysteresis band is outside without an event`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 3.2, from: 0, to: 1)
        scenario.run(to: 1)
        #expect(scenario.events == [])
        #expect(scenario.retained()?.zones.map(\.state) == [.outside, .outside])
    }

    @Test func `a gap of six seconds is not bridged`() {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 1)
        scenario.send(9, at: 6.95)
        scenario.run(to: 8)
        #expect(scenario.story() == ["enter near", "enter immediate"])
        scenario.send(9, at: 8)
        scenario.run(to: 8)
        #expect(scenario.story().suffix(2) == ["exit immediate left", "exit near left"])
    }

    @Test func `a hold does not run on through a gap`() {
        var scenario = Scenario(.plain { $0.zones[1].options.exitHold = .seconds(4) })
        scenario.stay(at: 2, from: 0, to: 1)
        scenario.send(9, at: 1)
        scenario.stay(at: 9, from: 7, to: 11)
        scenario.run(to: 11)
        #expect(scenario.story() == ["enter near"])
        scenario.stay(at: 9, from: 11, to: 12)
        scenario.run(to: 12)
        #expect(scenario.story() == ["enter near", "exit near left"])
        #expect(scenario.events.last?.at == Instant(nanoseconds: 11_100_000_000))
    }

    @Test func `a device that comes too close too fast is not believed at once`() {
        var scenario = Scenario()
        scenario.stay(at: 9, from: 0, to: 1)
        scenario.stay(at: 1, from: 1, to: 1.5)
        scenario.stay(at: 9, from: 1.5, to: 3)
        scenario.run(to: 3)
        #expect(scenario.events == [])
        #expect(scenario.engine.counters.gated == 5)
    }

    // MARK: What a distance is

    @Test(arguments: [
        (-0.5, 0.0), (-0.2, 0.0), (0.0, 0.0), (2.0, 2.0), (1000.0, 1000.0), (-0.51, nil), (1000.1, nil), (nil, nil),
    ])
    func `a plausible distance is taken and nothing else`(measured: Double?, expected: Double?) {
        var scenario = Scenario(.plain())
        scenario.send(measured, at: 0)
        scenario.run(to: 0)
        #expect(scenario.retained()?.distance == expected)
        #expect(scenario.engine.counters.withoutMeasurement == (expected == nil ? 1 : 0))
        #expect(scenario.engine.counters.reports == 1)
    }

    @Test(arguments: ["timeout", "error", "whatever"])
    func `a failed round is no measurement and keeps nobody present`(status: String) {
        var scenario = Scenario(.plain())
        scenario.stay(at: 1, from: 0, to: 1)
        for step in 1..<200 { scenario.send(1, at: 1 + Double(step) / 10, fields: #","status":"\#(status)""#) }
        scenario.run(to: 21)
        #expect(scenario.story().suffix(2) == ["exit immediate lost", "exit near lost"])
    }

    @Test func `scale and offset of the peer win over the accessory's`() {
        var lamp = AccessoryOptions()
        lamp.distanceScale = 2
        lamp.distanceOffset = -0.5
        lamp.peers["alice"] = PeerOptions()
        lamp.peers["alice"]?.distanceOffset = 1
        var scenario = Scenario(.plain { $0.accessories["lamp"] = lamp })
        scenario.send(4, at: 0, peer: "alice")
        scenario.send(4, at: 0, peer: "bob")
        scenario.run(to: 0)
        #expect(scenario.retained(peer: "alice")?.rawDistance == 9)
        #expect(scenario.retained(peer: "bob")?.rawDistance == 7.5)
    }

    @Test func `the correction decides what is plausible`() {
        var lamp = AccessoryOptions()
        lamp.distanceOffset = -3
        var scenario = Scenario(.plain { $0.accessories["lamp"] = lamp })
        scenario.send(2, at: 0)
        scenario.send(2.6, at: 0.1)
        scenario.run(to: 1)
        #expect(scenario.engine.counters.withoutMeasurement == 1)
        #expect(scenario.retained()?.distance == 0)
    }

    // MARK: Time

    @Test func `duplicates and late reports are counted and not used`() {
        var scenario = Scenario(.plain())
        scenario.send(2, at: 1)
        scenario.send(2, at: 1)
        scenario.link = LossyLink(loss: 0, duplication: 0, milliseconds: 900...900)
        scenario.send(9, at: 0.5)
        scenario.run(to: 2)
        #expect(scenario.engine.counters.duplicates == 1)
        #expect(scenario.engine.counters.late == 1)
        #expect(scenario.retained()?.distance == 2)
    }

    @Test func `the rate of reports is the device's, however they are delivered`() throws {
        for link in [LossyLink(), LossyLink(burst: 5)] {
            var scenario = Scenario(.plain(), link: link)
            scenario.stay(at: 2, from: 0, to: 20)
            scenario.run(to: 20)
            let state = scenario.engine.state(of: StreamID(accessory: AccessoryIndex(0)))
            #expect(abs(try #require(state?.reportRate) - 10) < 0.5)
        }
    }

    // MARK: Sources that speak on change only

    @Test func `a source by exception needs no confirmation and has no gate`() {
        var scenario = Scenario(.byException())
        scenario.send(9, at: 0)
        scenario.send(1, at: 0.1)
        scenario.run(to: 0.1)
        #expect(scenario.story() == ["enter near", "enter immediate"])
        scenario.run(to: 100_000)
        #expect(scenario.story() == ["enter near", "enter immediate"])
        #expect(scenario.engine.nextDeadline == nil)
    }

    @Test func `a source by exception says nothing of motion`() {
        var scenario = Scenario(.byException())
        scenario.send(9, at: 0)
        scenario.run(to: 0)
        #expect(scenario.retained()?.distance == 9)
        #expect(scenario.retained()?.motion == nil)
        #expect(scenario.retained()?.speed == nil)
    }

    // MARK: Sessions

    @Test func `the first valid report tells the session of the accessory and of each named peer once`() {
        var scenario = Scenario(.plain())
        scenario.send(nil, at: 0, peer: "alice")
        scenario.run(to: 0)
        #expect(scenario.records.allSatisfy { if case .session = $0.effect { false } else { true } })
        scenario.stay(at: 2, from: 1, to: 2, peer: "alice")
        scenario.stay(at: 2, from: 2, to: 3, peer: "bob")
        scenario.stay(at: 2, from: 3, to: 4)
        scenario.run(to: 4)
        let told = scenario.records.compactMap { record -> String? in
            guard case .session(let stream) = record.effect else { return nil }
            #expect(scenario.engine.sessionState(of: stream) == .external)
            return scenario.engine.names(of: stream).map { $0.peer ?? "-" }
        }
        #expect(told == ["alice", "-", "bob"])
    }

    // MARK: Limits and rubbish

    @Test func `a payload with many reports feeds many peers, and a faulty one among them is only skipped`() {
        var scenario = Scenario(.plain())
        let payload = #"[{"distance":1,"peer":"a"},{"distance":"x","peer":"b"},{"distance":2,"peer":"c"}]"#
        scenario.deliver(payload, at: 0)
        scenario.run(to: 0)
        #expect(scenario.retained()?.peers.map(\.identifier) == ["a", "c"])
        #expect(scenario.engine.counters.malformed == 1)
        #expect(complaints(scenario).count == 1)
    }

    @Test func `a payload over the limit is not read`() {
        var scenario = Scenario(.plain { $0.limits.payload = 16 })
        scenario.deliver(#"{"distance":1.23}"#, at: 0)
        scenario.deliver(#"{"distance":1.2}"#, at: 1)
        scenario.run(to: 1)
        #expect(scenario.engine.counters.tooLarge == 1)
        #expect(scenario.engine.counters.reports == 1)
        #expect(complaints(scenario).map(\.kind) == [.payloadTooLarge(bytes: 17)])
    }

    @Test func `an accessory is complained about at most once a minute, and the rest is counted`() {
        var scenario = Scenario(.plain())
        for step in 0..<130 { scenario.deliver("rubbish", at: Int64(step) * 1_000_000_000) }
        scenario.deliver("rubbish", from: "fan", at: 0)
        scenario.run(to: 130)
        #expect(scenario.engine.counters.malformed == 131)
        let lamp = complaints(scenario).filter { $0.accessory == "lamp" }
        #expect(lamp.map(\.suppressed) == [0, 59, 59])
        #expect(lamp.map(\.kind).first == .report(ReportError(.unknownFormat, at: 0)))
        #expect(complaints(scenario).count { $0.accessory == "fan" } == 1)
    }

    @Test func `reports over the rate are dropped, but a burst of three seconds passes`() {
        var scenario = Scenario(.plain { $0.limits.reportRate = 10 })
        scenario.stamp = .none
        for _ in 0..<40 { scenario.deliver(#"{"distance":2}"#, at: 0) }
        scenario.run(to: 0)
        #expect(scenario.engine.counters.rateLimited == 10)
        #expect(complaints(scenario).map(\.kind) == [.tooManyReports])
        for _ in 0..<20 { scenario.deliver(#"{"distance":2}"#, at: 1_000_000_000) }
        scenario.run(to: 1)
        #expect(scenario.engine.counters.rateLimited == 20)
        scenario.stay(at: 2, from: 5, to: 60)
        scenario.run(to: 60)
        #expect(scenario.engine.counters.rateLimited == 20)
    }

    @Test func `one accessory's flood does not touch another`() {
        var scenario = Scenario(.plain { $0.limits.reportRate = 10 })
        for _ in 0..<100 { scenario.deliver(#"{"distance":2}"#, at: 0) }
        scenario.stay(at: 1, from: 0, to: 1, accessory: "fan")
        scenario.run(to: 1)
        #expect(scenario.story(of: "fan") == ["enter near", "enter immediate"])
    }

    @Test func `a rate below one in three seconds still lets reports through`() {
        var scenario = Scenario(.byException { $0.limits.reportRate = 0.1 })
        scenario.send(1, at: 0)
        scenario.send(9, at: 5)
        scenario.send(2, at: 11)
        scenario.run(to: 20)
        #expect(scenario.engine.counters.rateLimited == 1)
        #expect(scenario.retained()?.distance == 2)
    }

    @Test func `more peers than the limit are refused, the known ones go on`() {
        var scenario = Scenario(.plain { $0.limits.peers = 2 })
        for step in 0..<5 {
            for peer in ["a", "b", "c"] { scenario.send(1, at: Double(step) / 10, peer: peer) }
            scenario.send(1, at: Double(step) / 10)
        }
        scenario.run(to: 1)
        #expect(scenario.engine.counters.refusedPeers == 10)
        #expect(complaints(scenario).map(\.kind) == [.tooManyPeers])
        #expect(scenario.story(peer: "b") == ["enter near", "enter immediate"])
        #expect(scenario.story(peer: "c") == [])
    }

    @Test(arguments: [(6.0, 1.0), (0.7, 8.0)], [0.8, 1.5, 3.0, 4.5])
    func `a gross error that ends a pause makes no event`(_ distances: (stay: Double, error: Double), _ pause: Double) {
        var scenario = Scenario(EngineOptions())
        scenario.stay(at: distances.stay, from: 0, to: 5, every: 0.2)
        scenario.run(to: 5)
        let before = scenario.wholeStory()
        scenario.send(distances.error, at: 5 + pause)
        scenario.stay(at: distances.stay, from: 5.2 + pause, to: 10 + pause, every: 0.2)
        scenario.run(to: 10 + pause)
        #expect(scenario.wholeStory() == before)
        #expect(scenario.violations == [])
    }

    @Test(arguments: [0.8, 3.0, 6.0])
    func `a gross error that comes twice does not confirm itself`(_ pause: Double) {
        var scenario = Scenario(EngineOptions())
        scenario.stamp = .none
        scenario.stay(at: 6, from: 0, to: 5, every: 0.2)
        scenario.send(2.5, at: 5 + pause)
        scenario.send(2.5, at: 5 + pause)
        scenario.stay(at: 6, from: 5.2 + pause, to: 8 + pause, every: 0.2)
        scenario.run(to: 8 + pause)
        #expect(scenario.wholeStory() == [])
        #expect(scenario.engine.counters.duplicates == 1)
    }

    @Test func `who comes near during a pause enters soon after it`() {
        var scenario = Scenario(EngineOptions())
        scenario.stay(at: 6, from: 0, to: 5, every: 0.2)
        scenario.stay(at: 1, from: 8, to: 8.4, every: 0.2)
        scenario.run(to: 8.65)
        #expect(scenario.wholeStory() == [])
        scenario.run(to: 8.7)
        #expect(scenario.wholeStory() == ["- enter near", "- enter immediate"])
    }

    @Test func `two reports and no more are enough, one is not`() {
        for count in 1...2 {
            var scenario = Scenario(EngineOptions())
            scenario.stay(at: 1, from: 0, to: 0.1 * Double(count), every: 0.1)
            scenario.run(to: 0.45)
            #expect(scenario.wholeStory() == [])
            scenario.run(to: 5)
            #expect(scenario.wholeStory() == (count == 1 ? [] : ["- enter near", "- enter immediate"]))
            #expect(scenario.violations == [])
        }
    }

    @Test func `while we are blind no beginning is proved`() {
        var scenario = Scenario(EngineOptions())
        scenario.stay(at: 1, from: 0, to: 0.2, every: 0.1)
        scenario.run(to: 0.15)
        scenario.disconnect()
        scenario.run(to: 3)
        #expect(scenario.wholeStory() == [])
        scenario.subscribe()
        scenario.run(to: 3.3)
        #expect(scenario.wholeStory() == [])
        scenario.run(to: 4)
        #expect(scenario.wholeStory() == ["- enter near", "- enter immediate"])
    }

    @Test(arguments: [0.1, 0.2])
    func `an error that is smeared over the first three reports makes no event`(_ interval: Double) {
        var scenario = Scenario(EngineOptions())
        scenario.stay(at: 0.4, from: 0, to: 2.5 * interval, every: interval)
        scenario.stay(at: 6, from: 3 * interval, to: 5, every: interval)
        scenario.run(to: 5)
        #expect(scenario.wholeStory() == [])
    }

    /// With every twentieth report wrong by up to 1.2 m, 2,000 visits at 5 Hz made 4 false ones before.
    @Test func `errors that could have been walked make no visits`() {
        var scenario = Scenario(EngineOptions())
        var random = SeededGenerator(seed: 7)
        var time = 0.0
        var sinceError = 0
        func report(_ distance: Double) {
            var measured = distance + Double.random(in: -0.08...0.08, using: &random)
            sinceError += 1
            if sinceError > 12, Int.random(in: 0..<20, using: &random) == 0 {
                sinceError = 0
                measured = distance + Double.random(in: -1.2...1.2, using: &random)
            }
            scenario.send(max(0, measured), at: time)
            time += 0.2
        }
        let visits = 500
        for _ in 0..<visits {
            for _ in 0..<15 { report(6) }
            for step in 0..<22 { report(6 - 0.24 * Double(step)) }
            for _ in 0..<15 { report(0.7) }
            for step in 0..<22 { report(0.72 + 0.24 * Double(step)) }
        }
        scenario.run(to: time)
        let visit = ["- enter near", "- enter immediate", "- exit immediate left", "- exit near left"]
        #expect(scenario.wholeStory() == Array(repeating: visit, count: visits).flatMap(\.self))
    }

    @Test func `who has named the wrong format hears of it once`() {
        var options = EngineOptions()
        options.accessories["lamp"] = AccessoryOptions()
        options.accessories["lamp"]?.format = .trek
        var scenario = Scenario(options)
        scenario.stay(at: 2, from: 0, to: 20)
        scenario.run(to: 20)
        #expect(complaints(scenario).map(\.kind) == [.nothingUnderstood(format: .trek, seeming: .json)])
        #expect(scenario.engine.counters.withoutReport == 200)
        #expect(scenario.events.isEmpty)
    }
}
