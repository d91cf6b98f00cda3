// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Reads a line of a report, or a record of several, from left to right into fields.
///
/// What the grammar of a format does not know is no fault here: the format's decoder complains of it.
struct LineReader {
    /// The payload.
    let bytes: [UInt8]
    /// Where the line ends at the latest.
    var end: Int
    /// The next byte.
    private(set) var offset: Int
    /// What was read.
    var fields: [ReportField] = []

    /// Begins at a place of a payload.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = min(range.upperBound, bytes.count)
    }

    /// The next byte, if the line has one.
    var next: UInt8? { offset < end ? bytes[offset] : nil }

    /// Whether these bytes come next.
    func sees(_ word: String) -> Bool {
        let word = Array(word.utf8)
        return offset + word.count <= end && bytes[offset..<offset + word.count].elementsEqual(word)
    }

    /// Moves over a word, if it comes next.
    @discardableResult
    mutating func take(_ word: String) -> Bool {
        guard sees(word) else { return false }
        offset += word.utf8.count
        return true
    }

    /// Moves over any of these characters.
    mutating func skip(_ characters: String) {
        while let byte = next, characters.utf8.contains(byte) { offset += 1 }
    }

    /// Moves back, or on, to a place.
    mutating func move(to place: Int) { offset = min(max(0, place), end) }

    /// Reads up to any of these characters, or to the end; the blanks around do not belong to it.
    mutating func token(upTo stops: String) -> Range<Int> {
        skip(" \t")
        let start = offset
        while let byte = next, !stops.utf8.contains(byte) { offset += 1 }
        var last = offset
        while last > start, bytes[last - 1] <= 0x20 { last -= 1 }
        return start..<last
    }

    /// The text of some bytes.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Adds what is known of some bytes.
    mutating func add(
        _ place: String,
        _ range: Range<Int>,
        _ name: String,
        _ meaning: FieldMeaning,
        _ note: String = ""
    ) {
        let reading = meaning.read(text(range))
        add(place, range, name, reading, note)
    }

    /// Adds bytes with what was read of them.
    mutating func add(
        _ place: String,
        _ range: Range<Int>,
        _ name: String?,
        _ reading: FieldMeaning.Reading,
        _ note: String = ""
    ) {
        guard !range.isEmpty else { return }
        fields.append(
            ReportField(
                range: range,
                place: place,
                name: name,
                value: reading.value,
                meaning: note,
                warning: reading.warning
            )
        )
    }

    /// Adds bytes that are not used.
    mutating func addUnused(_ place: String, _ range: Range<Int>, _ note: String = "not used") {
        add(place, range, nil, (.none, nil), note)
    }
}
