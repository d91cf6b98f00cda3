// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

/// What happens to the other end: processes that die or stand still, clocks that are wrong.
@Suite(.onItsOwnThread)
struct AccessoryFaultTests {
    private static let stay = ["enter near", "enter immediate"]
    private static let loss = ["exit immediate lost", "exit near lost"]

    /// A process that plays one accessory whose peer stays at 1 m.
    private func accessory(at site: Site) throws -> (process: BridgeProcess, walk: TemporaryDirectory) {
        let directory = try TemporaryDirectory()
        let samples = (0..<3000).map { "\(Double($0) / 10),1.0" }
        let walk = try directory.write("t_s,measured_m\n" + samples.joined(separator: "\n") + "\n", to: "stay.csv")
        let process = try BridgeProcess(
            ["simulate", "--walk", walk, "--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=\(site.broker.port)"]
        )
        return (process, directory)
    }

    /// The one accessory that reported.
    private func name(at site: Site) throws -> String {
        let suffix = "/zone/near"
        let isThere = site.consumer.waitFor { $0.contains { $0.topic.hasSuffix(suffix) && $0.text == "inside" } }
        try #require(isThere, "\(site.bridge.log)")
        let topic = try #require(site.consumer.messages.first { $0.topic.hasSuffix(suffix) }).topic
        return String(topic.dropFirst("nearby/accessory/".count).dropLast(suffix.count))
    }

    @Test("An accessory that is killed is lost once, and enters anew when it is started again")
    func killed() throws {
        let site = try Site(set: ["lost_after=2s"])
        let first = try accessory(at: site)
        let name = try name(at: site)
        #expect(site.waitForEvents(2, of: name).map(\.summary) == Self.stay)
        first.process.kill()
        #expect(site.waitForEvents(4, of: name).map(\.summary) == Self.stay + Self.loss)
        let second = try accessory(at: site)
        #expect(site.waitForEvents(6, of: name).map(\.summary) == Self.stay + Self.loss + Self.stay)
        second.process.kill()
    }

    @Test("An accessory that stands still is lost once, and enters anew when it goes on")
    func frozen() throws {
        let site = try Site(set: ["lost_after=2s"])
        let playing = try accessory(at: site)
        let name = try name(at: site)
        #expect(site.waitForEvents(2, of: name).map(\.summary) == Self.stay)
        playing.process.freeze(true)
        #expect(site.waitForEvents(4, of: name).map(\.summary) == Self.stay + Self.loss)
        playing.process.freeze(false)
        #expect(site.waitForEvents(6, of: name).map(\.summary) == Self.stay + Self.loss + Self.stay)
        playing.process.kill()
    }

    /// A device whose reports tell a time that is not ours, or tell it badly.
    enum Clock: CaseIterable {
        case hoursAhead
        case hoursBehind
        case rebooted
        case jumping
        case countingAnew
        case twice
        case reordered
    }

    /// The fields of the report number `step`, which was measured `step` tenths of a second after `begin`.
    private func stamp(_ clock: Clock, _ step: Int, _ begin: Double) -> String {
        let time = begin + Double(step) / 10
        switch clock {
        case .hoursAhead: return "\"timestamp\":\(time + 5 * 3600)"
        case .hoursBehind: return "\"timestamp\":\(time - 5 * 3600)"
        // From the second half on the device counts its seconds from its start.
        case .rebooted: return "\"timestamp\":\(step < 30 ? time : Double(step) / 10)"
        case .jumping: return "\"timestamp\":\(time + (step % 20 < 10 ? 0 : 86_400))"
        case .countingAnew: return "\"seq\":\(step < 30 ? 70_000 + step : step - 30)"
        case .twice, .reordered: return "\"seq\":\(step),\"timestamp\":\(time)"
        }
    }

    @Test("A device's wrong clock changes neither what happens nor when, and is counted where it can be")
    func clocks() throws {
        let site = try Site()
        let begin = Double(WallClock.now()) * 1e-9
        var steps = Array(0..<60)
        for index in stride(from: 5, to: 60, by: 6) { steps.swapAt(index, index - 1) }
        for (turn, swapped) in steps.enumerated() {
            for clock in Clock.allCases {
                let step = clock == .reordered ? swapped : turn
                let distance = step < 30 ? 1.0 : 4.0
                let report = "{\"distance\":\(distance),\(stamp(clock, step, begin))}"
                for _ in 0..<(clock == .twice ? 2 : 1) {
                    try site.source.publish("nearby/accessory/\(clock)/report", report, qualityOfService: .atMostOnce)
                }
            }
            Waiting.sleep(milliseconds: 90)
        }
        for clock in Clock.allCases {
            let events = site.waitForEvents(4, of: "\(clock)")
            let summaries = ["enter near", "enter immediate", "exit immediate left", "exit near left"]
            #expect(events.map(\.summary) == summaries, "\(clock): \(site.bridge.log)")
            // ISO 8601 sorts as time does: what was decided today is not told of tomorrow.
            for event in events { #expect(event.at <= event.publishedAt, "\(clock)") }
        }
        let dropped = try site.health().dropped
        #expect(dropped["duplicate"] == 60)
        #expect(dropped["late"].map { $0 >= 10 } == true, "\(dropped)")
    }
}
