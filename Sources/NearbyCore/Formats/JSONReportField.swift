// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The fields of the bridge's own JSON (CONTRACT section 3), and what their values must look like.
enum JSONReportField: UInt8, CaseIterable {
    case distance
    case peer
    case direction
    case azimuth
    case elevation
    case horizontalAngle
    case vertical
    case quality
    case nonLineOfSight
    case rssi
    case sequence
    case timestamp
    case run
    case status
    case convergence
    case position
    case worldPosition
    case worldTransform

    /// The key in the object.
    var key: String {
        switch self {
        case .distance: "distance"
        case .peer: "peer"
        case .direction: "direction"
        case .azimuth: "azimuth"
        case .elevation: "elevation"
        case .horizontalAngle: "horizontal_angle"
        case .vertical: "vertical"
        case .quality: "quality"
        case .nonLineOfSight: "nlos"
        case .rssi: "rssi"
        case .sequence: "seq"
        case .timestamp: "timestamp"
        case .run: "run"
        case .status: "status"
        case .convergence: "convergence"
        case .position: "position"
        case .worldPosition: "world_position"
        case .worldTransform: "world_transform"
        }
    }

    /// A bit of its own in a set of fields.
    var bit: UInt32 { 1 << UInt32(rawValue) }

    /// The field with this key, if there is one.
    @inline(__always)
    init?(_ key: JSONString, in payload: Span<UInt8>) {
        guard let field = JSONScanner.withText(of: key, in: payload, { Self.candidate($0) }) else { return nil }
        self = field
    }

    /// Length and first letter leave one candidate, so that a key is compared once.
    private static func candidate(_ key: Span<UInt8>) -> Self? {
        guard !key.isEmpty else { return nil }
        let field: Self
        switch (key.count, Unicode.Scalar(key[0])) {
        case (3, "s"): field = .sequence
        case (3, "r"): field = .run
        case (4, "p"): field = .peer
        case (4, "n"): field = .nonLineOfSight
        case (4, "r"): field = .rssi
        case (6, "s"): field = .status
        case (7, "a"): field = .azimuth
        case (7, "q"): field = .quality
        case (8, "d"): field = .distance
        case (8, "v"): field = .vertical
        case (8, "p"): field = .position
        case (9, "d"): field = .direction
        case (9, "e"): field = .elevation
        case (9, "t"): field = .timestamp
        case (11, "c"): field = .convergence
        case (14, "w"): field = .worldPosition
        case (15, "w"): field = .worldTransform
        case (16, "h"): field = .horizontalAngle
        default: return nil
        }
        return JSONScanner.isEqual(key, field.key) ? field : nil
    }

    /// Reads the field's value into the report; returns what is wrong with it, and throws where it is not JSON.
    ///
    /// `null` and numbers that are not finite leave the field absent.
    func decode(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) -> ReportError.Reason? {
        if let literal = try JSONScanner.literal(in: payload, at: &offset) {
            switch literal {
            case .null, .nan, .infinity: return nil
            case .true, .false:
                guard self == .nonLineOfSight else { return .invalidValue }
                report.isNonLineOfSight = literal == .true
                return nil
            }
        }
        switch self {
        case .nonLineOfSight: return .invalidValue
        case .distance, .azimuth, .elevation, .horizontalAngle, .quality, .rssi, .sequence, .run:
            return try decodeNumber(in: payload, at: &offset, into: &report)
        case .peer: return try Self.decodePeer(in: payload, at: &offset, into: &report)
        case .direction: return try Self.decodeDirection(in: payload, at: &offset, into: &report)
        case .timestamp: return try Self.decodeTimestamp(in: payload, at: &offset, into: &report)
        case .vertical, .status: return try decodeWord(in: payload, at: &offset, into: &report)
        case .convergence: return try Self.decodeConvergence(in: payload, at: &offset, into: &report)
        case .position: return try Self.decodePosition(in: payload, at: &offset, into: &report)
        case .worldPosition: return try Self.decodeWorldPosition(in: payload, at: &offset, into: &report)
        case .worldTransform: return try Self.decodeWorldTransform(in: payload, at: &offset, into: &report)
        }
    }

    private func decodeNumber(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) -> ReportError.Reason? {
        guard let number = try Self.number(in: payload, at: &offset) else { return .invalidValue }
        if self == .sequence || self == .run {
            let integer = number.integer(in: payload)
            guard integer != nil || !number.value(in: payload).isFinite else { return .invalidValue }
            if self == .run { report.run = integer } else { report.sequence = integer }
            return nil
        }
        let value = number.value(in: payload)
        if self == .distance {
            report.distance = value.isFinite ? value : nil
            return nil
        }
        let narrow = Float(value)
        guard narrow.isFinite else { return nil }
        switch self {
        case .azimuth: report.azimuth = narrow
        case .elevation: report.elevation = narrow
        case .horizontalAngle: report.horizontalAngle = narrow
        case .rssi: report.rssi = narrow
        default:
            guard 0...1 ~= value else { return .invalidValue }
            report.quality = narrow
        }
        return nil
    }

    private static func decodePeer(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) -> ReportError.Reason? {
        guard let string = try string(in: payload, at: &offset) else { return .invalidValue }
        guard let name = RangeReport.Peer.name(string, in: payload) else { return .invalidPeer }
        report.peer = name
        return nil
    }

    private static func decodeTimestamp(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) -> ReportError.Reason? {
        if let string = try string(in: payload, at: &offset) {
            report.timestamp = JSONScanner.withText(of: string, in: payload) { ISO8601Timestamp.nanoseconds($0) }
            return report.timestamp == nil ? .invalidValue : nil
        }
        guard let number = try number(in: payload, at: &offset) else { return .invalidValue }
        guard number.value(in: payload).isFinite else { return nil }
        report.timestamp = nanoseconds(number, in: payload)
        return report.timestamp == nil ? .invalidValue : nil
    }

    /// Seconds or milliseconds, whichever the size tells, as nanoseconds; `nil` if they do not fit.
    static func nanoseconds(_ number: JSONNumber, in payload: Span<UInt8>) -> Int64? {
        let value = number.value(in: payload)
        // 1e11 seconds is the year 5138, 1e11 milliseconds is 1973.
        let isSeconds = value.magnitude < 1e11
        return number.isExact
            ? number.scaled(byPowerOfTen: isSeconds ? 9 : 6, isTruncating: true)
            : JSONNumber.truncated(value * (isSeconds ? 1e9 : 1e6))
    }

    private func decodeWord(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) -> ReportError.Reason? {
        guard let word = try Self.string(in: payload, at: &offset) else { return .invalidValue }
        if self == .status {
            // A word that only a newer source knows is no success either.
            report.status = JSONScanner.word(word, in: payload, of: [("ok", .ok), ("timeout", .timeout)]) ?? .error
            return nil
        }
        report.vertical = JSONScanner.word(
            word,
            in: payload,
            of: [
                ("same", .same), ("above", .above), ("below", .below), ("above_or_below", .aboveOrBelow),
                ("unknown", .unknown),
            ]
        )
        return report.vertical == nil ? .invalidValue : nil
    }

    /// Reads a number, if one stands here.
    @inline(__always)
    static func number(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> JSONNumber? {
        guard JSONScanner.isNumber(in: payload, at: offset) else { return nil }
        return try JSONScanner.number(in: payload, at: &offset)
    }

    /// Reads a string, if one stands here.
    @inline(__always)
    static func string(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> JSONString? {
        guard JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: "\"") else { return nil }
        return try JSONScanner.string(in: payload, at: &offset)
    }
}
