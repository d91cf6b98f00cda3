// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension Coordinates {
    /// The keys of an object with a position.
    private enum Field: Int {
        case x, y, z, quality
    }

    /// Reads `{"x":…,"y":…,"z":…}`, or nothing where `null` stands; `depth` arrays and objects are open around it.
    ///
    /// - Returns: What its `quality` says.
    mutating func readObject(
        in payload: Span<UInt8>,
        at offset: inout Int,
        depth: Int
    ) throws(ReportError) -> Double? {
        let start = offset
        if try JSONScanner.literal(in: payload, at: &offset) == .null { return nil }
        guard JSONScanner.peek(in: payload, at: start) == UInt8(ascii: "{") else {
            throw ReportError(.invalidValue, at: start)
        }
        offset += 1
        var isFirst = true
        var seen = 0
        var quality: Double?
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            let field: Field? = JSONScanner.word(
                key,
                in: payload,
                of: [("x", .x), ("y", .y), ("z", .z), ("quality", .quality)]
            )
            guard let field else {
                try JSONScanner.skipValue(in: payload, at: &offset, depth: depth + 1)
                continue
            }
            guard seen & 1 << field.rawValue == 0 else { throw ReportError(.duplicateField, at: key.range.lowerBound) }
            seen |= 1 << field.rawValue
            let value = try JSONScanner.looseMeasurement(in: payload, at: &offset)
            switch field {
            case .x: x = value
            case .y: y = value
            case .z: z = value
            case .quality: quality = value
            }
        }
        return quality
    }

    /// Reads `[x,y]` or `[x,y,z]`, where a missing height is that of the floor, or nothing where `null` stands.
    mutating func readArray(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) {
        let start = offset
        if try JSONScanner.literal(in: payload, at: &offset) == .null { return }
        guard JSONScanner.peek(in: payload, at: start) == UInt8(ascii: "[") else {
            throw ReportError(.invalidValue, at: start)
        }
        offset += 1
        var isFirst = true
        var count = 0
        while try JSONScanner.nextElement(in: payload, at: &offset, isFirst: &isFirst) {
            guard count < 3 else { throw ReportError(.invalidValue, at: start) }
            let value = try JSONScanner.measurement(in: payload, at: &offset)
            switch count {
            case 0: x = value
            case 1: y = value
            default: z = value
            }
            count += 1
        }
        if count == 2 { z = 0 }
    }
}
