// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The nearest accessory of a peer or person.
public struct NearestState: Equatable, Sendable {
    /// The accessory's identifier; `nil` if none is near enough.
    public var accessory: String?
    /// Metres when it became so; `nil` if none is.
    public var distance: Double?
    /// When it became so.
    public var since: Instant
}
