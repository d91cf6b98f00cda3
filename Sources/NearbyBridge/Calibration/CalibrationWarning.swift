// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What makes a calibration doubtful, and what to do about it.
enum CalibrationWarning: Equatable, Sendable {
    /// So few measurements at a distance.
    case few(count: Int, at: Double)
    /// They scatter by so much (metres).
    case scattered(Double, at: Double)
    /// The distance moved by so much (metres).
    case drift(Double, at: Double)
    /// The interval is so wide, from end to end (metres).
    case wide(Double, at: Double)
    /// Several peers reported, and none was named; which one was measured.
    case severalPeers([String], used: String)
    /// So great a share of the rounds failed.
    case failedRounds(Double, at: Double)
    /// The offset is so great (metres); what the unit may be in truth, if it looks like one.
    case largeOffset(Double, unit: String?)

    /// Fewer measurements than this are few.
    static let leastCount = 30
    /// Somebody who stands still scatters less (metres).
    static let mostSpread = 0.15
    /// And moves less (metres).
    static let mostDrift = 0.05
    /// An interval wider than this, from end to end, is worth another try (metres).
    static let widestInterval = 0.05
    /// More failed rounds than this are a bad link.
    static let mostFailures = 0.2
    /// No antenna is wrong by more (metres).
    static let greatestOffset = 1.0
    /// What a number would be divided by if it were metres.
    private static let units: [(name: String, perMetre: Double)] = [
        ("millimetres", 1000), ("centimetres", 100), ("decimetres", 10), ("feet", 3.2808), ("kilometres", 0.001),
    ]

    /// Everything that is doubtful about a calibration, apart from whose distances they were.
    static func all(of calibration: Calibration) -> [CalibrationWarning] {
        var warnings: [CalibrationWarning] = []
        for point in calibration.points {
            let truth = point.truth
            if point.count < leastCount { warnings.append(.few(count: point.count, at: truth)) }
            if point.spread > mostSpread { warnings.append(.scattered(point.spread, at: truth)) }
            if let drift = point.drift, drift.magnitude > max(mostDrift, point.driftNoise) {
                warnings.append(.drift(drift, at: truth))
            }
            if 2 * point.interval > widestInterval { warnings.append(.wide(2 * point.interval, at: truth)) }
            if point.failedShare > mostFailures { warnings.append(.failedRounds(point.failedShare, at: truth)) }
        }
        if calibration.offset.magnitude > greatestOffset {
            warnings.append(.largeOffset(calibration.offset, unit: unit(of: calibration.points)))
        }
        return warnings
    }

    /// The unit in which every point would be about right.
    private static func unit(of points: [CalibrationPoint]) -> String? {
        let unit = units.first { unit in
            points.allSatisfy { ($0.median / unit.perMetre - $0.truth).magnitude < 0.1 + 0.1 * $0.truth }
        }
        return unit?.name
    }

    /// The warning in words.
    var text: String {
        func at(_ truth: Double) -> String { "at \(Column.decimal(truth, 2)) m" }
        switch self {
        case .few(let count, let truth):
            return "only \(count) measurements \(at(truth)), and \(Self.leastCount) are good: let it run longer"
        case .scattered(let spread, let truth):
            return "the distances \(at(truth)) scatter by \(Column.decimal(spread, 2)) m: does somebody move, or is "
                + "something in the way?"
        case .drift(let drift, let truth):
            return
                "the distance \(at(truth)) moved by \(Column.decimal(drift, 2)) m meanwhile: stand still, and let the "
                + "accessory warm up"
        case .wide(let width, let truth):
            return "the distance \(at(truth)) is known only within \(Column.decimal(width, 2)) m: let it run longer"
        case .severalPeers(let peers, let used):
            return
                "\(peers.count) peers reported (\(peers.joined(separator: ", "))), and \(used) was measured: name one "
                + "with --peer"
        case .failedRounds(let share, let truth):
            return "\(Column.decimal(100 * share, 0)) % of the rounds \(at(truth)) failed: is something in the way?"
        case .largeOffset(let offset, let unit):
            let guess =
                unit.map { "its distances look like \($0), not metres" } ?? "is the unit of its distances metres?"
            return "an offset of \(Column.decimal(offset, 2)) m is more than antennas are wrong by: \(guess)"
        }
    }
}
