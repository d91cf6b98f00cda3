// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Durations as the configuration writes them: a number and its unit.
enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    /// A thousand years, in milliseconds.
    private static let longest = 3.2e13

    /// Reads a duration, to the millisecond, `nil` if the text is none or beyond any use.
    static func read(_ text: Substring) -> Duration? {
        guard
            let (number, unit) = Decimals.split(text),
            // No space between number and unit, so that there is one way to write it.
            !text.contains(" "),
            let scale = units.first(where: { $0.name == unit })?.milliseconds
        else { return nil }
        // Through an integer of checked size: `Duration.seconds` of a huge number would trap.
        let milliseconds = (number * Double(scale)).rounded()
        return milliseconds.magnitude <= longest ? .milliseconds(Int64(milliseconds)) : nil
    }

    /// Writes a duration in the largest unit that needs no fraction.
    static func write(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let subsecond = attoseconds / 1_000_000_000_000_000
        guard subsecond == 0 else {
            let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
            return overflow ? "\(seconds)s" : "\(product &+ subsecond)ms"
        }
        let unit = units.first { $0.milliseconds >= 1000 && seconds != 0 && seconds % ($0.milliseconds / 1000) == 0 }
        guard let unit else { return "\(seconds)s" }
        return "\(seconds / (unit.milliseconds / 1000))\(unit.name)"
    }

    /// What the writer may have meant: a number without a unit means seconds to most people.
    static func guess(_ text: Substring) -> String? {
        guard let (number, unit) = Decimals.split(text), number >= 0 else { return nil }
        let spellings = [
            "": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "s": "s", "min": "m", "mins": "m",
            "minute": "m", "minutes": "m", "hour": "h", "hours": "h", "hr": "h", "h": "h", "day": "d", "days": "d",
            "msec": "ms", "millis": "ms", "milliseconds": "ms", "ms": "ms", "m": "m", "d": "d",
        ]
        return spellings[unit.lowercased()].map { Decimals.short(number) + $0 }
    }
}
