// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One way in which measured distances are wrong, or are not there.
///
/// The usual figures are measured ones, from reference/uwb-reports.md 8.3 unless said. What happens to a measurement has a
/// share of the measurements; what happens around it happens so often an hour and lasts for seconds.
enum NoiseModel: Equatable, Sendable {
    /// Independent from measurement to measurement. 0.11 m walking within 3 m; 0.04 to 0.13 m in the worst set.
    case gaussian(deviation: Double)
    /// With a memory of a second (`CorrelatedNoise`): 0.12 m, as in 8.5.
    case correlated(deviation: Double)
    /// Gross errors, most of them too short (`SmearedSpikes`): 0.5 % of the reports; 3 % at worst.
    case spikes(share: Double)
    /// A body in the way lengthens distances by so many metres.
    ///
    /// 8.3 has 0.03 to 0.05 m for a standing body and could not verify more; 0.6 m for 3 s, 60 times an hour, are the
    /// model of reference/peers.md 5.2.
    case shadow(Episodes, metres: Double)
    /// Reports that are lost at random: with 20 % of 10 a second every hundredth gap is longer than 0.3 s, where walks had
    /// 2 %.
    case loss(share: Double)
    /// Nothing at all for a while: 8 to 22 s, at worst 27 s. How often is not told but as "rare": twice an hour.
    case holes(Episodes)
    /// A device that was never calibrated: 0.16 to 0.36 m too far.
    case offset(metres: Double)
    /// Rounds that fail and are reported as failed: 1 of 75.
    case failed(share: Double)

    /// Every model by its name; the last is all of them.
    static let table = NamedValueTable(
        option: "noise-model",
        noun: "noise model",
        [
            ("gaussian", "0.11", "independent, of so many metres"),
            ("correlated", "0.12", "with a memory of a second, of so many metres"),
            ("spikes", "0.005", "such a share of the reports is short by 0.5 to 20 m, three in a row"),
            ("shadow", "60/3/0.6", "so often an hour a body for so many seconds makes distances so many metres longer"),
            ("loss", "0.2", "such a share of the reports is missing"),
            ("holes", "2/15", "so often an hour nothing comes for so many seconds"),
            ("offset", "0.36", "every distance is so many metres too long"),
            ("failed", "0.013", "such a share of the reports is of failed rounds"),
            ("worst", "", "all of these at the worst that was measured anywhere"),
        ]
    )

    /// Everything at once, each at the worst value that 8.3 has for it.
    static let worst: [NoiseModel] = [
        .gaussian(deviation: 0.13),
        .correlated(deviation: 0.12),
        .spikes(share: 0.03),
        .shadow(Episodes(perHour: 60, seconds: 3), metres: 0.6),
        .loss(share: 0.2),
        .holes(Episodes(perHour: 2, seconds: 18)),
        .offset(metres: 0.36),
        .failed(share: 0.013),
    ]

    /// Reads `NAME` or `NAME:VALUE`, where parts of a value that are left out have their usual ones.
    static func read(_ text: String) throws(UsageError) -> [NoiseModel] {
        try table.read(text) { name, value in
            if name == "worst" { return worst }
            let usual = table.rows.first { $0.name == name }?.value ?? ""
            return numbers(value, usual: numbers(usual, usual: [])).flatMap { make(name, $0) }.map { [$0] }
        }
    }

    private static func make(_ name: String, _ values: [Double]) -> NoiseModel? {
        // Only an offset may go both ways.
        guard name == "offset" || values.allSatisfy({ $0 >= 0 }) else { return nil }
        func share(_ make: (Double) -> NoiseModel) -> NoiseModel? { values[0] <= 1 ? make(values[0]) : nil }
        switch name {
        case "gaussian": return .gaussian(deviation: values[0])
        case "correlated": return .correlated(deviation: values[0])
        case "spikes": return share { .spikes(share: $0) }
        case "shadow": return .shadow(Episodes(perHour: values[0], seconds: values[1]), metres: values[2])
        case "loss": return share { .loss(share: $0) }
        case "holes": return .holes(Episodes(perHour: values[0], seconds: values[1]))
        case "offset": return .offset(metres: values[0])
        case "failed": return share { .failed(share: $0) }
        default: return nil
        }
    }

    /// Numbers between slashes.
    private static func numbers(_ text: String, usual: [Double]?) -> [Double]? {
        var numbers: [Double] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false) {
            guard let number = Double(part), number.magnitude <= 1e6 else { return nil }
            numbers.append(number)
        }
        guard let usual, !usual.isEmpty else { return numbers }
        return numbers.count <= usual.count ? numbers + usual[numbers.count...] : nil
    }
}
