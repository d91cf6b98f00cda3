// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The arithmetic of ranging rounds, the same for what an accessory asks for and what a phone decides.
///
/// `reference/nearby-interaction.md` section 3: round = slots × slot duration ÷ 1,200 RSTU per millisecond.
public struct RoundTiming: Hashable, Sendable {
    /// RSTU in a millisecond.
    public static let rstuPerMillisecond = 1200

    /// Slots in a ranging round.
    public var slotsPerRound: UInt16
    /// Length of a slot in RSTU.
    public var slotDuration: UInt16
    /// Milliseconds from one round to the next.
    public var interval: UInt16

    /// Creates the timing of a session.
    public init(slotsPerRound: UInt16, slotDuration: UInt16, interval: UInt16) {
        self.slotsPerRound = slotsPerRound
        self.slotDuration = slotDuration
        self.interval = interval
    }

    private var roundRSTU: Int { Int(slotsPerRound) * Int(slotDuration) }
    private var intervalRSTU: Int { Int(interval) * Self.rstuPerMillisecond }

    /// Milliseconds of a round.
    public var roundMilliseconds: Double { Double(roundRSTU) / Double(Self.rstuPerMillisecond) }

    /// How many rounds fit into the interval, `nil` unless it is a whole number of at least one.
    public var roundsPerInterval: Int? {
        guard roundRSTU > 0, intervalRSTU > 0 else { return nil }
        let (rounds, rest) = intervalRSTU.quotientAndRemainder(dividingBy: roundRSTU)
        return rest == 0 ? rounds : nil
    }

    /// Ranges a second, `nil` without an interval.
    public var updateRate: Double? { interval > 0 ? 1000 / Double(interval) : nil }

    /// What is unusual about it; only a decided interval must be a whole number of rounds.
    func warnings(isDecided: Bool) -> [ConfigurationWarning] {
        var warnings: [ConfigurationWarning] = []
        if !(6...255 ~= slotsPerRound) { warnings.append(.slotsPerRound(slotsPerRound)) }
        if slotDuration < 2400 || slotDuration % 1200 != 0 { warnings.append(.slotDuration(slotDuration)) }
        if interval == 0 || intervalRSTU < roundRSTU {
            warnings.append(.intervalBelowRound(self))
        } else if isDecided, roundRSTU > 0, roundsPerInterval == nil {
            warnings.append(.intervalNotWholeRounds(self))
        }
        return warnings
    }
}
