// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What is wrong with slots, rounds and the interval of minted runs.
extension ConfigurationCheck {
    mutating func checkRounds() {
        guard
            ["slots", "slot_duration", "interval"].allSatisfy({
                !settings.isRefused(ConfigurationPath(["session", $0]))
            })
        else { return }
        var slot = Int(ShareableDataSource.standardSlotDuration)
        if let setting = settings["session.slot_duration"], let given = Int(setting.value) {
            slot = given
            guard slot % RoundTiming.rstuPerMillisecond == 0 else {
                let near = max(2400, slot / RoundTiming.rstuPerMillisecond * RoundTiming.rstuPerMillisecond)
                return problem(
                    "session.slot_duration",
                    setting.source,
                    "no multiple of 1200, which is a millisecond",
                    "write \(near)"
                )
            }
        }
        let slots = settings["session.slots"].flatMap { Int($0.value) } ?? Int(ShareableDataSource.standardSlots)
        checkInterval(round: slots * (slot / RoundTiming.rstuPerMillisecond))
    }

    /// An interval is a whole number of rounds; `round` is the milliseconds of one.
    private mutating func checkInterval(round: Int) {
        guard let setting = settings["session.interval"], let interval = Duration(setting.value), round > 0 else {
            return
        }
        // Durations are read to the millisecond.
        let milliseconds = Int(interval / .milliseconds(1))
        let whole = max(1, (milliseconds + round - 1) / round) * round
        if milliseconds < round {
            problem(
                "session.interval",
                setting.source,
                "shorter than a round of \(round) ms",
                "write \(round)ms, or fewer or shorter slots"
            )
        } else if whole != milliseconds {
            warn(
                "session.interval",
                setting.source,
                "no whole number of rounds of \(round) ms, so it is longer",
                "write \(whole <= Int(UInt16.max) ? whole : whole - round)ms"
            )
        }
    }
}
