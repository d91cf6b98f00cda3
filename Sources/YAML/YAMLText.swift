// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Questions about the bytes of a text that libyaml leaves open: encoding, byte offsets, indentation.
enum YAMLText {
    /// Bytes to skip at the start: the length of a UTF-8 byte order mark, if there is one.
    static func byteOrderMark(of bytes: Span<UInt8>) -> Int {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    }

    /// Refuses what is not UTF-8.
    static func checkEncoding(_ bytes: Span<UInt8>) throws(YAMLError) {
        if bytes.count >= 2, (bytes[0], bytes[1]) == (0xFF, 0xFE) || (bytes[0], bytes[1]) == (0xFE, 0xFF) {
            throw encodingError(at: YAMLPosition(line: 1, column: 1))
        }
        do {
            _ = try UTF8Span(validating: bytes)
        } catch {
            let offset = error.byteOffsets.lowerBound
            throw YAMLError(
                .invalidUTF8,
                at: position(ofByte: offset, in: bytes),
                "byte \(offset) is not valid UTF-8",
                fix: "save the file as UTF-8"
            )
        }
    }

    /// What to say when the text is UTF-16 or UTF-32.
    static func encodingError(at position: YAMLPosition) -> YAMLError {
        YAMLError(.encoding, at: position, "the text is UTF-16 or UTF-32", fix: "save the file as UTF-8")
    }

    /// Line and column of a byte offset; columns count characters, as libyaml does.
    static func position(ofByte offset: Int, in bytes: Span<UInt8>) -> YAMLPosition {
        var position = YAMLPosition(line: 1, column: 1)
        var index = byteOrderMark(of: bytes)
        while index < min(offset, bytes.count) {
            let byte = bytes[index]
            index += 1
            if byte == newline || (byte == carriageReturn && !(index < bytes.count && bytes[index] == newline)) {
                position = YAMLPosition(line: position.line + 1, column: 1)
            } else if byte & 0xC0 != 0x80 {
                position.column += 1
            }
        }
        return position
    }

    /// The column of the first tab in the white space that a line starts with.
    static func indentingTab(inLine line: Int, of bytes: Span<UInt8>) -> Int? {
        var current = 1
        var index = byteOrderMark(of: bytes)
        while current < line, index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == newline || (byte == carriageReturn && !(index < bytes.count && bytes[index] == newline)) {
                current += 1
            }
        }
        guard current == line else { return nil }
        var column = 1
        while index < bytes.count, bytes[index] == space || bytes[index] == tab {
            if bytes[index] == tab { return column }
            index += 1
            column += 1
        }
        return nil
    }

    private static let tab = UInt8(ascii: "\t")
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let space = UInt8(ascii: " ")
}
