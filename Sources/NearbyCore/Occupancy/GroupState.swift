// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Everything that the state topic of a group tells.
public struct GroupState: Equatable, Sendable {
    /// No more names than this are listed; the counts are complete.
    public static let mostListed = 64

    /// One zone over all accessories of the group.
    public struct Zone: Equatable, Sendable {
        /// The zone's name.
        public var name: String
        /// `inside` while somebody is inside at any accessory.
        public var state: ZoneState
        /// Since when; `nil` while nothing was ever decided.
        public var since: Instant?
        /// The running or last stay; `nil` before the first.
        public var visit: Int64?
        /// How many peers and people are inside, each counted once wherever it is.
        public var count: Int
        /// The accessories with somebody inside, sorted; of more than `mostListed` those that joined first.
        public var accessories: [String]
        /// The first `mostListed` of the named peers and people inside, sorted.
        public var occupants: [String]
    }

    /// The group's identifier.
    public var group: String
    /// The configured name.
    public var name: String?
    /// From the innermost zone to the outermost.
    public var zones: [Zone]
    /// The last sequence number used; `nil` if no event was made yet.
    public var sequence: Int64?
}
