// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One value of a YAML text, with the place where it stands.
///
/// Scalars keep their raw text: what `on`, `5s` or `0123` mean is for whoever knows the type that is wanted.
public struct YAMLNode: Equatable, Sendable {
    /// What a node holds.
    public enum Content: Equatable, Sendable {
        /// A single value as text; quoted also stands for block text and for the tag `!!str`.
        case scalar(String, isQuoted: Bool)
        /// Values in their order.
        case sequence([YAMLNode])
        /// Keys and values in the order of the text; no key stands twice.
        case mapping([Entry])
    }

    /// One key of a mapping with its value.
    public struct Entry: Equatable, Sendable {
        /// The key's text.
        public var key: String
        /// Whether the key was written in quotes.
        public var isKeyQuoted: Bool
        /// Where the key stands.
        public var keyPosition: YAMLPosition
        /// What the key is set to.
        public var value: YAMLNode

        /// Creates an entry of a mapping.
        public init(key: String, isKeyQuoted: Bool, keyPosition: YAMLPosition, value: YAMLNode) {
            self.key = key
            self.isKeyQuoted = isKeyQuoted
            self.keyPosition = keyPosition
            self.value = value
        }
    }

    /// What the node holds.
    public var content: Content
    /// Where the node begins.
    public var position: YAMLPosition

    /// Creates a node at a position.
    public init(_ content: Content, at position: YAMLPosition) {
        self.content = content
        self.position = position
    }
}
