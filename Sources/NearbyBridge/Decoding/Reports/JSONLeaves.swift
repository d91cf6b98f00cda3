// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Every value of a JSON text that holds no others, with its place.
struct JSONLeaves {
    /// One of them: a text, a number, a word, or an array or object with nothing in it.
    struct Leaf {
        /// Which bytes it is.
        var range: Range<Int>
        /// Where it stands, with the numbers of elements.
        var path: String
        /// The same without them, as tables of fields have it.
        var pattern: String
        /// The object it stands in, if it is the value of a key.
        var object: String?
    }

    /// The values, in order; as far as the text is sound.
    private(set) var leaves: [Leaf] = []
    /// Behind the last of them.
    private(set) var end: Int
    private let payload: [UInt8]

    /// Walks through the value that begins at a place.
    init(_ payload: [UInt8], from start: Int) {
        self.payload = payload
        end = start
        var offset = start
        // Where it breaks off, the format's decoder says why.
        try? walk("", "", nil, depth: 0, at: &offset)
        end = offset
    }

    private mutating func walk(
        _ path: String,
        _ pattern: String,
        _ object: String?,
        depth: Int,
        at offset: inout Int
    ) throws(ReportError) {
        JSONScanner.skipWhitespace(in: payload.span, at: &offset)
        let start = offset
        guard depth < JSONScanner.maximumDepth else { throw ReportError(.tooDeep, at: start) }
        var isFirst = true
        switch JSONScanner.peek(in: payload.span, at: start) {
        case UInt8(ascii: "{"):
            offset += 1
            while let key = try JSONScanner.nextKey(in: payload.span, at: &offset, isFirst: &isFirst) {
                let name = String(decoding: JSONScanner.bytes(of: key, in: payload.span), as: UTF8.self)
                let dot = path.isEmpty ? "" : "."
                try walk(path + dot + name, pattern + dot + name, pattern, depth: depth + 1, at: &offset)
            }
        case UInt8(ascii: "["):
            offset += 1
            var index = 0
            while try JSONScanner.nextElement(in: payload.span, at: &offset, isFirst: &isFirst) {
                try walk("\(path)[\(index)]", pattern + "[]", nil, depth: depth + 1, at: &offset)
                index += 1
            }
        default:
            try JSONScanner.skipValue(in: payload.span, at: &offset, depth: depth)
        }
        guard isFirst else { return }
        leaves.append(Leaf(range: start..<offset, path: path, pattern: pattern, object: object))
    }
}
