// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Why SQLite could not do what it was asked for.
///
/// Holds no values that were bound: they may be anything.
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What can be done about it, from the primary result code (https://www.sqlite.org/rescode.html).
    public enum Kind: Sendable, CaseIterable {
        /// Another process holds the file.
        case busy
        /// The file is damaged, or is no database.
        case corrupt
        /// The disk, or a quota, is full.
        case full
        /// The file cannot be opened or written: permissions, a missing folder, a read-only disk.
        case notWritable
        /// The disk does not do what it should.
        case inputOutput
        /// Everything else: a mistake of ours.
        case other
    }

    /// What can be done about it.
    public var kind: Kind
    /// SQLite's extended result code.
    public var code: Int32
    /// What was being done.
    public var operation: String
    /// SQLite's own words.
    public var message: String

    /// Creates an error that SQLite itself does not know: of a file that it can read but its owner cannot.
    public init(kind: Kind, operation: String, message: String) {
        self.kind = kind
        code = 0
        self.operation = operation
        self.message = message
    }

    init(code: Int32, operation: String, message: String) {
        self.code = code
        self.operation = operation
        self.message = message
        // The primary code is the lowest byte.
        switch code & 0xFF {
        case 5, 6: kind = .busy
        case 11, 26: kind = .corrupt
        case 13: kind = .full
        case 3, 8, 14, 23: kind = .notWritable
        case 10: kind = .inputOutput
        default: kind = .other
        }
    }

    /// What was being done, and what SQLite says about it.
    public var description: String { "cannot \(operation): \(message) (SQLite \(code))" }
}
