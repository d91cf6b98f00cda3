// nearby-bridge · SPDX-License-Identifier: Apache-2.0

public import NearbyCore

/// What an entry of the section `sources` says: foreign topics, and what their reports mean.
public struct SourceConfiguration: Equatable, Sendable {
    /// The topics, names of levels in braces.
    public var topics: [String]
    /// What the engine is told.
    public var options: SourceOptions

    /// Creates a source of these topics.
    public init(topics: [String], options: SourceOptions = SourceOptions()) {
        self.topics = topics
        self.options = options
    }
}
