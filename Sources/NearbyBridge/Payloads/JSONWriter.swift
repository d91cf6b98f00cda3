// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Writes JSON into bytes that are used again.
///
/// Commas come by themselves. Keys are written in the order of the calls: callers write them sorted, as CONTRACT
/// section 4 promises, and a test checks every payload for it.
struct JSONWriter {
    /// What was written so far.
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Empties the writer and keeps its memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    mutating func beginObject() { open("{") }
    mutating func endObject() { close("}") }
    mutating func beginArray() { open("[") }
    mutating func endArray() { close("]") }

    /// Writes a key; a value must follow.
    mutating func key(_ key: String) {
        separate()
        appendQuoted(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func string(_ value: String) {
        separate()
        appendQuoted(value)
    }

    mutating func integer(_ value: Int64) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
    }

    mutating func boolean(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// Writes a number with at most so many decimals, without trailing zeros; what is no number becomes `null`.
    mutating func number(_ value: Double, decimals: Int = 3) {
        separate()
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (value * scale).rounded()
        guard scaled.magnitude < 9e15 else {
            bytes.append(contentsOf: (value.isFinite ? String(value) : "null").utf8)
            return
        }
        var magnitude = UInt64(scaled.magnitude)
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        let unit = UInt64(scale)
        bytes.append(contentsOf: String(magnitude / unit).utf8)
        magnitude %= unit
        guard magnitude > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var place = unit / 10
        while magnitude > 0 {
            bytes.append(UInt8(truncatingIfNeeded: 48 + magnitude / place))
            magnitude %= place
            place /= 10
        }
    }

    /// Writes a Unix time in nanoseconds as ISO 8601.
    mutating func time(unixNanoseconds: Int64) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: Timestamp.text(unixNanoseconds: unixNanoseconds))
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes bytes that are JSON already.
    mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    // MARK: Pairs

    mutating func pair(_ key: String, _ value: String) {
        self.key(key)
        string(value)
    }

    mutating func pair(_ key: String, _ value: Int64) {
        self.key(key)
        integer(value)
    }

    mutating func pair(_ key: String, _ value: Bool) {
        self.key(key)
        boolean(value)
    }

    mutating func pair(_ key: String, _ value: Double, decimals: Int = 3) {
        self.key(key)
        number(value, decimals: decimals)
    }

    mutating func pair(_ key: String, _ values: [String]) {
        self.key(key)
        beginArray()
        for value in values { string(value) }
        endArray()
    }

    /// Writes three numbers.
    mutating func pair(_ key: String, _ vector: SIMD3<Double>, decimals: Int = 3) {
        self.key(key)
        beginArray()
        for index in vector.indices { number(vector[index], decimals: decimals) }
        endArray()
    }

    /// Writes the pair if there is a value.
    mutating func optional(_ key: String, _ value: Double?, decimals: Int = 3) {
        if let value { pair(key, value, decimals: decimals) }
    }

    /// Writes the pair if there is a value.
    mutating func optional(_ key: String, _ value: String?) {
        if let value { pair(key, value) }
    }

    // MARK: Punctuation

    private mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func appendQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Self.hexadecimal(byte >> 4))
                bytes.append(Self.hexadecimal(byte & 15))
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func hexadecimal(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 48 + nibble : 87 + nibble
    }
}
