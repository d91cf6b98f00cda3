// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A person who carries several peers: phone, watch, badge.
///
/// For every accessory the person is one peer more, and counts there instead of the devices.
public struct PersonOptions: Equatable, Sendable {
    /// Where a person is who carries several devices.
    public enum Presence: String, Sendable, CaseIterable {
        /// Inside while any device is.
        case any
        /// Inside only while every device is that was heard within `lost_after`.
        ///
        /// A device that is lost is absent, as if it had no battery left: it keeps nobody outside, and while the others
        /// are inside its loss is nobody's exit.
        case all
        /// Where the device is that is nearest to the accessory; one that takes its place must be clearly nearer for a
        /// while.
        case nearest
    }

    /// For people; by default the identifier.
    public var name: String?
    /// What topics call the peers that the person carries.
    public var peers: [String]
    /// Where the person is.
    public var presence: Presence

    /// Creates a person with these peers.
    public init(name: String? = nil, peers: [String], presence: Presence = .any) {
        self.name = name
        self.peers = peers
        self.presence = presence
    }
}
