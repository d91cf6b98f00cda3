// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Why a text is not the YAML that this program reads, where, and what to do about it.
///
/// Quotes nothing of the text but a duplicate key's name: values may be secrets.
public struct YAMLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of fault.
    public enum Reason: Sendable, CaseIterable {
        /// The text is larger than the bound.
        case tooLarge
        /// UTF-16 or UTF-32.
        case encoding
        /// Bytes that are not UTF-8.
        case invalidUTF8
        /// A control character, which no editor shows.
        case controlCharacter
        /// A tab where only spaces may indent.
        case tab
        /// A grammar fault that libyaml found.
        case syntax
        /// Nested deeper than any configuration needs.
        case tooDeep
        /// `*name`.
        case alias
        /// `&name`.
        case anchor
        /// A tag outside YAML's core schema, or one that does not fit the value.
        case tag
        /// A key that stands twice in one mapping.
        case duplicateKey
        /// A sequence or a mapping as a key.
        case complexKey
        /// A second document after `---`.
        case multipleDocuments
        /// libyaml could not get memory.
        case outOfMemory
    }

    /// The kind of fault.
    public var reason: Reason
    /// Where the fault is.
    public var position: YAMLPosition
    /// What is wrong.
    public var message: String
    /// What to do about it.
    public var fix: String

    /// The line, counted from 1.
    public var line: Int { position.line }
    /// The column in characters, counted from 1.
    public var column: Int { position.column }

    /// The fault in one line: place, message, fix.
    public var description: String { "\(line):\(column): \(message); \(fix)" }

    /// Creates an error.
    public init(_ reason: Reason, at position: YAMLPosition, _ message: String, fix: String) {
        self.reason = reason
        self.position = position
        self.message = message
        self.fix = fix
    }
}
