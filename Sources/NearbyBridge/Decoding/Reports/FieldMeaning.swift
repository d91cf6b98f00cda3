// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// How the text of a value is read, and how it is judged.
enum FieldMeaning: Equatable, Sendable {
    /// A distance in units of so many metres.
    case distance(metres: Double, none: Absence = .said)
    /// A coordinate in units of so many metres.
    case coordinate(metres: Double)
    /// Degrees, in magnitude no more than a limit.
    case angle(limit: Double)
    /// Radians.
    case radians
    /// A number of 0 to 1.
    case component
    /// A number of 0 to what is best.
    case quality(best: Double)
    /// dBm.
    case strength
    /// A whole number.
    case counter
    /// A time in units of so many seconds; without one by the calendar, in seconds or milliseconds.
    case time(seconds: Double?)
    /// A name, a hardware address, or a number.
    case identity
    /// A number as a name.
    case name
    /// Hexadecimal digits.
    case address
    /// A word, of which only one is a success.
    case status(ok: String)
    /// What convergence waits for.
    case reason
    /// Anything that is said as it stands.
    case word

    /// How a format says that there is no distance.
    enum Absence: Sendable {
        /// By saying so.
        case said
        /// By 0.
        case zero
        /// By 0 and by what is below.
        case notPositive
        /// By the same, which stands wherever there is no anchor: nothing unusual.
        case empty
    }

    /// What was read.
    typealias Reading = (value: DecodedField.Value, warning: String?)

    /// What hardly any room has room for (metres).
    private static let far = 300.0

    /// Reads a value as it is written, in quotation marks or not.
    func read(_ text: String) -> Reading {
        let bare = Self.withoutQuotes(text)
        switch self {
        case .identity: return (.text(Self.identity(bare, isQuoted: bare != text)), nil)
        case .name, .word: return (.text(bare), nil)
        case .reason:
            let convergence = Convergence(status: Convergence.Status.notConverged.word, reasons: [bare])
            // The word stands there already, and is long: once is enough.
            let isPassedOn = convergence?.words.isEmpty == false
            return (.none, isPassedOn ? nil : "left out: reasons are words of a to z and _, of 64 letters at most")
        case .address:
            let digits = bare.lowercased().hasPrefix("0x") ? bare.dropFirst(2) : bare[...]
            return (UInt64(digits, radix: 16).map { .text("\(RadioAddress($0))") } ?? .text(bare), nil)
        case .status(let ok):
            return (.text(bare), bare == ok ? nil : "the round failed: no measurement")
        case .time(let seconds): return (Self.time(bare, seconds), nil)
        case .distance, .coordinate, .angle, .radians, .component, .quality, .strength, .counter:
            return judge(Self.number(bare), as: text)
        }
    }

    /// Judges a number; `text` is how it was written.
    func judge(_ number: Double?, as text: String) -> Reading {
        switch self {
        case .distance(let metres, let absence): return Self.distance(number, metres, absence, text)
        case .coordinate(let metres):
            guard let number else { return (.none, "no coordinate, so no position: \(text)") }
            return (.quantity(number * metres, decimals: 3, unit: "m"), nil)
        case .angle(let limit):
            return Self.limited(number, -limit...limit, "beyond \(Int(limit))°") {
                .quantity($0, decimals: 2, unit: "deg")
            }
        case .radians:
            return Self.limited(number, -3.2...3.2, "beyond half a turn: is it degrees?") {
                .quantity($0, decimals: 3, unit: "rad")
            }
        case .component:
            return Self.limited(number, -1...1, "the direction is no unit vector") {
                .quantity($0, decimals: 3, unit: "")
            }
        case .quality(let best):
            let range = best == 1 ? "0 to 1" : "0 to \(Int(best))"
            return Self.limited(number, 0...best, "beyond \(range)") { .quantity($0 / best, decimals: 2, unit: "") }
        case .strength:
            return Self.limited(number, -200...0, "no strength of a received signal: that is below 0 dBm") {
                .quantity($0, decimals: 1, unit: "dBm")
            }
        case .counter:
            guard let number, let whole = Int64(exactly: number.rounded(.towardZero)) else { return (.none, nil) }
            return (.number(whole, String(whole)), whole < 0 ? "a counter below zero" : nil)
        case .time, .identity, .name, .address, .status, .reason, .word: return (.none, nil)
        }
    }

    private static func distance(
        _ number: Double?,
        _ metresPerUnit: Double,
        _ absence: Absence,
        _ text: String
    ) -> Reading {
        guard let number else { return (.none, "no measurement: \(text)") }
        guard absence == .said || number > 0 || (absence == .zero && number != 0) else {
            return (.none, absence == .empty ? nil : "no measurement: \(text) stands for none")
        }
        let metres = number * metresPerUnit
        let value = DecodedField.Value.quantity(metres, decimals: 3, unit: "m")
        if metres < BridgeEngine.leastDistance {
            return (value, "no measurement: below \(Column.decimal(BridgeEngine.leastDistance, 1)) m")
        }
        if metres > BridgeEngine.greatestDistance {
            return (value, "no measurement: over \(Int(BridgeEngine.greatestDistance)) m; \(wrongUnit(metresPerUnit))")
        }
        return (value, metres > far ? "over \(Int(far)) m; \(wrongUnit(metresPerUnit))" : nil)
    }

    /// What may be behind a distance that is too great.
    private static func wrongUnit(_ metresPerUnit: Double) -> String {
        switch metresPerUnit {
        case 1: "are these centimetres or millimetres?"
        case 0.01: "are these millimetres?"
        default: "is the unit right?"
        }
    }

    private static func limited(
        _ number: Double?,
        _ range: ClosedRange<Double>,
        _ warning: String,
        _ value: (Double) -> DecodedField.Value
    ) -> Reading {
        guard let number else { return (.none, nil) }
        return (value(number), range ~= number ? nil : warning)
    }

    // MARK: Texts

    /// What stands between quotation marks, with its escapes.
    private static func withoutQuotes(_ text: String) -> String {
        guard text.utf8.count >= 2, text.utf8.first == UInt8(ascii: "\""), text.utf8.last == UInt8(ascii: "\"") else {
            return text
        }
        return String(text.dropFirst().dropLast())
    }

    /// A number of decimal digits, blanks around it and behind its sign or not; `nil` if it is none or not finite.
    static func number(_ text: String) -> Double? {
        let spelled = text.filter { $0 != " " && $0 != "\t" }
        let isDecimal = spelled.utf8.allSatisfy { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+-.eE".utf8.contains(byte)
        }
        guard isDecimal, let number = Double(spelled), number.isFinite else { return nil }
        return number
    }

    private static func identity(_ text: String, isQuoted: Bool) -> String {
        let bytes = Array(text.utf8)
        if isQuoted, let address = RadioAddress(hardware: bytes.span) { return "\(address)" }
        if !isQuoted, let number = UInt64(text) { return "\(RadioAddress(number))" }
        return text
    }

    private static func time(_ text: String, _ seconds: Double?) -> DecodedField.Value {
        if let number = number(text) {
            // As the bridge's own JSON: the size tells seconds from milliseconds.
            let unit = seconds ?? (number.magnitude < 1e11 ? 1 : 0.001)
            return .quantity(number * unit, decimals: 3, unit: "s")
        }
        let bytes = Array(text.utf8)
        guard let nanoseconds = ISO8601Timestamp.nanoseconds(bytes.span) else { return .none }
        return .quantity(Double(nanoseconds) * 1e-9, decimals: 3, unit: "s")
    }
}
