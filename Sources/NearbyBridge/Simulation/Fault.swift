// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What goes wrong with a simulated accessory, again and again.
enum Fault: Equatable, Sendable {
    /// Measures nothing from so many seconds of ranging on: for so long, or until it is initialized anew.
    case silence(after: Double, lasting: Double?)
    /// So many starts bring no ranging.
    case noStart(Int)
    /// Stops by itself after so many seconds of ranging, and says so.
    case stop(after: Double)
    /// Forgets everything after so many seconds of ranging, and comes back a while later with another address.
    case reboot(after: Double)
    /// Does what it is told so many seconds late.
    case slow(by: Double)
    /// Its configuration data is cut to what fits into a Bluetooth packet of the default size.
    case mtuCut
    /// Every so manieth report comes twice.
    case duplicate(every: Int)
    /// Every so manieth report comes after the one that follows it.
    case reorder(every: Int)
    /// Every 20th report is too far by so many metres.
    case spike(metres: Double)
    /// The clock of its timestamps is too fast by so many parts in a million.
    case clockSkew(partsPerMillion: Double)

    /// Every fault by its name.
    static let table = NamedValueTable(
        option: "fault",
        noun: "fault",
        [
            (
                "silence", "20",
                "measures nothing after so many seconds of ranging, until initialized anew; 20/8: for 8 s"
            ),
            ("no_start", "1", "so many starts bring no ranging"),
            ("stop", "20", "stops by itself after so many seconds of ranging, and says so"),
            ("reboot", "20", "forgets everything after so many seconds of ranging"),
            ("slow", "2", "obeys so many seconds late"),
            ("mtu_cut", "", "sends only 20 bytes of its configuration data"),
            ("duplicate", "5", "every 5th report comes twice"),
            ("reorder", "5", "every 5th report comes after the next"),
            ("spike", "5", "every 20th report is 5 m too far"),
            ("clock_skew", "1000", "timestamps run fast by so many parts in a million"),
        ]
    )

    /// Whether only an accessory that does the handshake can have it.
    var needsHandshake: Bool {
        switch self {
        case .silence, .noStart, .stop, .reboot, .slow, .mtuCut: true
        case .duplicate, .reorder, .spike, .clockSkew: false
        }
    }

    /// Reads `NAME` or `NAME:VALUE`.
    init(_ text: String) throws(UsageError) {
        self = try Self.table.read(text, Self.make)
    }

    private static func make(_ name: String, _ value: String) -> Fault? {
        switch name {
        case "silence":
            let parts = value.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard let first = parts.first, let after = seconds(first), parts.count <= 2 else { return nil }
            guard parts.count == 2 else { return .silence(after: after, lasting: nil) }
            return seconds(parts[1]).map { .silence(after: after, lasting: $0) }
        case "no_start": return Int(value).flatMap { $0 > 0 ? .noStart($0) : nil }
        case "stop": return seconds(value).map { .stop(after: $0) }
        case "reboot": return seconds(value).map { .reboot(after: $0) }
        case "slow": return seconds(value).map { .slow(by: $0) }
        case "mtu_cut": return .mtuCut
        case "duplicate": return Int(value).flatMap { $0 > 0 ? .duplicate(every: $0) : nil }
        case "reorder": return Int(value).flatMap { $0 > 1 ? .reorder(every: $0) : nil }
        case "spike": return number(value).map { .spike(metres: $0) }
        case "clock_skew": return number(value).map { .clockSkew(partsPerMillion: $0) }
        default: return nil
        }
    }

    /// Seconds, with or without the unit.
    private static func seconds(_ text: String) -> Double? {
        number(text.hasSuffix("s") ? String(text.dropLast()) : text).flatMap { $0 >= 0 ? $0 : nil }
    }

    private static func number(_ text: String) -> Double? {
        Double(text).flatMap { $0.magnitude <= 1e6 ? $0 : nil }
    }
}
