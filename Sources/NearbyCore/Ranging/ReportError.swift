// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Why a payload, or one report in it, could not be used.
///
/// Carries no text of the payload: what strangers send must not reach a log unread.
public struct ReportError: Error, Equatable, Sendable {
    /// The kind of fault.
    public enum Reason: UInt8, Sendable, CaseIterable {
        /// The payload is empty or blank.
        case empty
        /// No format knows these first bytes.
        case unknownFormat
        /// The payload ends in the middle of a value.
        case truncated
        /// Not the grammar of the format.
        case syntax
        /// A string holds bytes that are not UTF-8, or an escape that has no UTF-8 form.
        case invalidUTF8
        /// Nested deeper than any report needs.
        case tooDeep
        /// A known field has a value of the wrong type or outside its range.
        case invalidValue
        /// An object that has no field of a report.
        case noKnownField
        /// A known field stands twice in one report.
        case duplicateField
        /// The peer's name is no identifier: one topic level, 1–64 of `A–Z a–z 0–9 . _ : -`.
        case invalidPeer
    }

    /// The kind of fault.
    public var reason: Reason
    /// Where in the payload, in bytes from its start.
    public var offset: Int

    /// Creates an error at a byte offset of the payload.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
