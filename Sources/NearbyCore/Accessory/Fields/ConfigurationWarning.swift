// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Something in configuration data that decodes, but that a healthy accessory or phone would not have sent.
public enum ConfigurationWarning: Hashable, Sendable, CustomStringConvertible {
    /// A higher minor version than is known: the known beginning was read.
    case newerMinorVersion(ConfigurationVersion)
    /// An unknown major version: the block is kept and can be relayed, but was not read.
    case unparsedVersion(ConfigurationVersion)
    /// So many bytes stand behind the declared end.
    case trailingBytes(Int)
    /// Reserved bytes are not zero.
    case reservedNotZero
    /// The preferred update rate is none of the three.
    case updateRate(UpdateRate)
    /// The role is not one of two-way ranging.
    case role(RangingRole)
    /// The address means something else in IEEE 802.15.4.
    case address(ShortAddress)
    /// Neither off nor on.
    case hoppingMode(UInt8)
    /// Fewer slots than two-way ranging needs, or more than the chip can be told of.
    case slotsPerRound(UInt16)
    /// Shorter than 2 ms, or no multiple of a millisecond.
    case slotDuration(UInt16)
    /// A round does not fit into the interval.
    case intervalBelowRound(RoundTiming)
    /// The interval is not a whole number of rounds.
    case intervalNotWholeRounds(RoundTiming)
    /// Not two capital letters.
    case countryCode
    /// The session identifier is zero.
    case sessionIDZero
    /// The preamble code index is not 9 to 12.
    case preamble(UInt8)
    /// Not a channel of the high band or of IEEE 802.15.4z that FiRa uses.
    case channel(UInt8)
    /// Neither time-scheduled nor contention-based.
    case roundControl(UInt8)

    /// What is unusual, in one sentence without a full stop.
    public var description: String {
        switch self {
        case .newerMinorVersion(let version): "version \(version) is newer than known; its known beginning was read"
        case .unparsedVersion(let version): "version \(version) is unknown; kept unparsed, it can still be relayed"
        case .trailingBytes(let count): "\(count) byte\(count == 1 ? "" : "s") behind the declared end, ignored"
        case .reservedNotZero: "reserved bytes are not zero"
        case .updateRate(let rate): "preferred update rate \(rate.rawValue) is unknown, expected 0, 10 or 20"
        case .role(let role): "role \(role.rawValue) (\(role.meaning)) is not one of two-way ranging, expected 0 or 1"
        case .address(let address): "address \(address) is reserved"
        case .hoppingMode(let mode): "hopping mode \(mode) is unknown, expected 0 or 1"
        case .slotsPerRound(let slots): "\(slots) slots in a round, expected 6 to 255"
        case .slotDuration(let duration): "slot of \(duration) RSTU, expected a multiple of 1200 of at least 2400"
        case .intervalBelowRound(let timing): "interval of \(timing.interval) ms, shorter than \(Self.round(timing))"
        case .intervalNotWholeRounds(let timing):
            "interval of \(timing.interval) ms, no whole number of times \(Self.round(timing))"
        case .countryCode: "country code is not two capital letters"
        case .sessionIDZero: "session identifier is zero"
        case .preamble(let index): "preamble code index \(index), expected 9 to 12"
        case .channel(let channel): "channel \(channel), expected 5, 6, 8, 9, 10, 12, 13 or 14"
        case .roundControl(let control): "ranging round control \(control), expected 3 or 6"
        }
    }

    private static func round(_ timing: RoundTiming) -> String {
        guard timing.roundMilliseconds > 0 else { return "any round" }
        // At most three decimals, without those that say nothing.
        let thousandths = Int((timing.roundMilliseconds * 1000).rounded())
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
        guard rest > 0 else { return "a round of \(whole) ms" }
        let decimals = String(String(1000 + rest).dropFirst().reversed().drop { $0 == "0" }.reversed())
        return "a round of \(whole).\(decimals) ms"
    }
}
