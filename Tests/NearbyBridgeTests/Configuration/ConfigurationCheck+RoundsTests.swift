// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct ConfigurationCheckRoundsTests {
    @Test("Slots, their length, the interval and hopping reach the source of minted data")
    func reach() throws {
        let text = "session: {slots: 8, slot_duration: 2400, interval: 240ms, hopping: true}"
        let loaded = try load(text)
        #expect(loaded.warnings.isEmpty)
        let source = EngineOptions(loaded.configuration).session.source
        #expect(source.slotsPerRound == 8 && source.slotDuration == 2400 && source.interval == 240)
        #expect(source.isHopping == true)
        #expect(EngineOptions(try load("").configuration).session.source == ShareableDataSource())
    }

    @Test(
        "What cannot be is refused where it stands, with what to write instead",
        arguments: [
            ("{slot_duration: 2500}", "session.slot_duration", "write 2400"),
            ("{slot_duration: 64799}", "session.slot_duration", "write 63600"),
            ("{interval: 17ms}", "session.interval", "write 18ms"),
            ("{slots: 25, slot_duration: 2400, interval: 49ms}", "session.interval", "write 50ms"),
            ("{slots: 5}", "session.slots", "write 6"),
            ("{slots: 256}", "session.slots", "write 255"),
            ("{hopping: on}", "session.hopping", "write true"),
            ("{interval: 66s}", "session.interval", "write"),
        ]
    )
    func refused(_ session: String, _ key: String, _ fix: String) {
        let found = problems("session: \(session)")
        #expect(found.map(\.key) == [key])
        #expect(found.first?.fix.hasPrefix(fix) == true, "\(found)")
    }

    @Test("An interval that is no whole number of rounds is warned of")
    func rounds() throws {
        let warnings = try load("session: {interval: 240ms}").warnings
        #expect(warnings.map(\.key) == ["session.interval"])
        #expect(warnings.first?.fix == "write 252ms")
        #expect(try load("session: {interval: 65535ms}").warnings.first?.fix == "write 65520ms")
        #expect(try load("session: {interval: 240ms, slots: 10, slot_duration: 2400}").warnings.isEmpty)
    }
}
