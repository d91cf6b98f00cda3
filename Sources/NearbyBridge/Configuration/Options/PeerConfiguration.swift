// nearby-bridge · SPDX-License-Identifier: Apache-2.0

public import NearbyCore

/// What the section `peers` of an accessory says about one peer.
public struct PeerConfiguration: Equatable, Sendable {
    /// What reports call it: a name or a radio address.
    public var id: String
    /// What topics call it, `nil` for the same as `id`.
    public var name: String?
    /// Metres, added after scaling; `nil` for the accessory's.
    public var distanceOffset: Double?
    /// Factor for each distance; `nil` for the accessory's.
    public var distanceScale: Double?
    /// Without a valid report for so long, the peer is lost; `nil` for the accessory's.
    public var lostAfter: Patience?
    /// What the peer can; `nil` for the accessory's.
    public var capabilities: Capabilities?
    /// Whether ranging must be allowed; `nil` leaves it to the accessory.
    public var authorization: Authorization?
    /// A FiRa radio that the bridge drives.
    public var isRadio = false
    /// What it overrides, by the zone's name.
    public var zones: [String: ZoneOptions] = [:]

    /// Creates a peer with defaults.
    public init(id: String) {
        self.id = id
    }
}
