// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Where a string stands in a JSON payload.
public struct JSONString: Equatable, Sendable {
    /// The bytes between the quotation marks, escapes as they are written.
    public var range: Range<Int>
    /// Whether a backslash stands in them, so that the bytes are not yet the text.
    public var hasEscapes: Bool
}
