// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A text that no description, dump or log may show.
public struct Secret: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What stands in the place of a secret.
    public static let placeholder = "<redacted>"

    /// The text itself: for the one place that needs it.
    public let value: String

    /// Wraps a text.
    public init(_ value: String) {
        self.value = value
    }

    /// The placeholder.
    public var description: String { Self.placeholder }
    /// The placeholder.
    public var debugDescription: String { Self.placeholder }
    /// Hides the text from `dump` as well.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
