// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Reads a YAML text into a tree of nodes with their places.
///
/// A strict subset for configuration written by people: one document, no anchors, aliases or foreign tags, no key
/// twice, bounded in size and depth. JSON is accepted as it is.
public enum YAMLParser {
    /// The largest text that is read, in bytes.
    public static let maximumSize = 1 << 20
    /// The deepest nesting of sequences and mappings that is read.
    public static let maximumDepth = 32

    /// Reads a text, giving `nil` if it holds no value at all.
    ///
    /// - Parameter bytes: UTF-8, with or without a byte order mark, with any line ends.
    /// - Returns: The root of the tree.
    /// - Throws: The first fault found.
    public static func parse(_ bytes: Span<UInt8>) throws(YAMLError) -> YAMLNode? {
        guard bytes.count <= maximumSize else {
            throw YAMLError(
                .tooLarge,
                at: YAMLPosition(line: 1, column: 1),
                "the text has \(bytes.count) bytes, more than \(maximumSize)",
                fix: "make it shorter"
            )
        }
        try YAMLText.checkEncoding(bytes)
        let text = bytes.extracting(droppingFirst: YAMLText.byteOrderMark(of: bytes))
        do {
            return try unsafe text.withUnsafeBufferPointer { (buffer) throws(Stop) in
                guard let reader = unsafe YAMLEventReader(buffer) else { throw .fault(.noMemory) }
                var builder = YAMLTreeBuilder(reader)
                return try builder.document()
            }
        } catch {
            switch error {
            case .refused(let refusal): throw refusal
            case .fault(let fault): throw YAMLError(fault, in: bytes)
            }
        }
    }

    /// Reads a text, giving `nil` if it holds no value at all.
    ///
    /// - Parameter bytes: UTF-8, with or without a byte order mark, with any line ends.
    /// - Returns: The root of the tree.
    /// - Throws: The first fault found.
    public static func parse(_ bytes: [UInt8]) throws(YAMLError) -> YAMLNode? {
        try parse(bytes.span)
    }

    /// Why building the tree ended early.
    enum Stop: Error {
        case refused(YAMLError)
        case fault(YAMLFault)
    }
}
