// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Where in a payload the values stand that paths lead to.
struct FieldPlaces: Sendable {
    /// The offset of each value; 0, where no value can stand, for those that are not there.
    private var offsets = InlineArray<16, Int>(repeating: 0)
    /// The first value that a path led to a second time.
    private(set) var duplicate: Int?

    /// Where the value of a field stands.
    subscript(_ field: FieldPaths.Field) -> Int? { self[place: field.rawValue] }

    /// Where the list stands.
    var list: Int? { self[place: FieldPaths.list] }

    private subscript(place place: Int) -> Int? { offsets[place] > 0 ? offsets[place] : nil }

    /// Looks for the values of some paths in the value at the offset, and moves behind it; false if there are none.
    ///
    /// Reads everything once, whatever the number of paths. The JSON must be known to be sound: it is not looked at how
    /// deep it goes.
    mutating func find(
        _ candidates: UInt32,
        of paths: borrowing FieldPaths,
        in payload: Span<UInt8>,
        at offset: inout Int,
        depth: Int = 0
    ) throws(ReportError) -> Bool {
        var isFirst = true
        var hasFound = false
        switch JSONScanner.peek(in: payload, at: offset) {
        case UInt8(ascii: "{"):
            offset += 1
            while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
                var matches: UInt32 = 0
                // Longer keys with escapes are nobody's: a part of a path is not longer either.
                _ = JSONScanner.withText(of: key, in: payload) { (text) -> Void? in
                    matches = paths.matching(candidates, depth: depth, key: text)
                }
                if try follow(matches, of: paths, in: payload, at: &offset, depth: depth) { hasFound = true }
            }
        case UInt8(ascii: "["):
            offset += 1
            var index = 0
            while try JSONScanner.nextElement(in: payload, at: &offset, isFirst: &isFirst) {
                let matches = paths.matching(candidates, depth: depth, index: index)
                if try follow(matches, of: paths, in: payload, at: &offset, depth: depth) { hasFound = true }
                index += 1
            }
        default: try JSONScanner.skipValue(in: payload, at: &offset)
        }
        return hasFound
    }

    /// Notes the value at the offset for the paths that end there, and goes on into it for the others.
    private mutating func follow(
        _ matches: UInt32,
        of paths: borrowing FieldPaths,
        in payload: Span<UInt8>,
        at offset: inout Int,
        depth: Int
    ) throws(ReportError) -> Bool {
        guard matches != 0 else {
            try JSONScanner.skipValue(in: payload, at: &offset)
            return false
        }
        let ending = paths.ending(matches, depth: depth)
        var rest = ending
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest - 1
            if offsets[place] > 0 { duplicate = duplicate ?? offset }
            offsets[place] = offset
        }
        guard matches != ending else {
            try JSONScanner.skipValue(in: payload, at: &offset)
            return true
        }
        let hasFound = try find(matches & ~ending, of: paths, in: payload, at: &offset, depth: depth + 1)
        return hasFound || ending != 0
    }
}
