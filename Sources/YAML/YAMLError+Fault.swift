// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension YAMLError {
    /// Puts a fault of libyaml into words that tell a person what to do.
    init(_ fault: YAMLFault, in bytes: Span<UInt8>) {
        switch fault.stage {
        case .memory:
            self.init(.outOfMemory, at: fault.position, "not enough memory to read the text", fix: "free some memory")
        case .reader:
            self = Self.readerError(fault, in: bytes)
        case .grammar:
            self = Self.tabError(fault, in: bytes) ?? Self.grammarError(fault)
        }
    }

    private static func readerError(_ fault: YAMLFault, in bytes: Span<UInt8>) -> YAMLError {
        // libyaml counts from behind the byte order mark, which it never saw.
        let offset = fault.byteOffset + YAMLText.byteOrderMark(of: bytes)
        let position = YAMLText.position(ofByte: offset, in: bytes)
        if offset >= 0, offset < bytes.count, bytes[offset] == 0 {
            return YAMLText.encodingError(at: position)
        }
        return YAMLError(
            .controlCharacter,
            at: position,
            "an invisible control character stands here",
            fix: "delete it and type the line again"
        )
    }

    /// A tab in a line's indentation explains most faults that libyaml reports for something else.
    private static func tabError(_ fault: YAMLFault, in bytes: Span<UInt8>) -> YAMLError? {
        guard
            blockProblems.contains(where: { fault.problem.contains($0) }),
            let column = YAMLText.indentingTab(inLine: fault.position.line, of: bytes)
        else { return nil }
        return YAMLError(
            .tab,
            at: YAMLPosition(line: fault.position.line, column: column),
            "a tab indents this line",
            fix: "indent with spaces only"
        )
    }

    /// Only sentences of block style: inside brackets tabs are fine, and the fault is another one.
    private static let blockProblems = [
        "cannot start any token", "a tab character", "mapping values are not allowed",
        "block sequence entries are not allowed", "did not find expected key", "did not find expected '-'",
        "could not find expected ':'",
    ]

    private static func grammarError(_ fault: YAMLFault) -> YAMLError {
        let fix = fixes.first { fault.problem.contains($0.problem) }?.fix
        var message = fault.problem
        if let context = fault.context {
            message += " \(context)"
            if fault.contextPosition.line != fault.position.line {
                message += " that begins in line \(fault.contextPosition.line)"
            }
        }
        return YAMLError(
            .syntax,
            at: fault.position,
            message,
            fix: fix ?? "check the indentation and the quotes here and in the line above"
        )
    }

    private static let fixes: [(problem: String, fix: String)] = [
        ("cannot start any token", "put the value in quotes"),
        ("mapping values are not allowed", "put the value in quotes, or mend the indentation"),
        ("did not find expected key", "give this line the indentation of the keys that it belongs to"),
        ("did not find expected '-'", "give this line the indentation of the entries that it belongs to"),
        ("could not find expected ':'", "write \"key: value\""),
        ("expected ',' or", "add the missing comma or closing bracket"),
        ("unexpected end of stream", "close the quotes"),
        ("unexpected document indicator", "close the quotes"),
        ("unknown escape character", "write \\\\ for a backslash, or use single quotes"),
        ("undefined tag handle", "put the text in quotes if it starts with '!'"),
    ]
}
