// nearby-bridge · SPDX-License-Identifier: Apache-2.0

public import NearbyCore

/// One zone of the section `zones`.
public struct ZoneConfiguration: Equatable, Sendable {
    /// The name: 1 to 32 of `a–z 0–9 _`.
    public var name: String
    /// Metres, always known at this level.
    public var radius: Double
    /// What else the section says; its `radius` is the same number.
    public var options: ZoneOptions

    /// Creates a zone with a radius and defaults for everything else.
    public init(name: String, radius: Double) {
        self.name = name
        self.radius = radius
        options = ZoneOptions()
        options.radius = radius
    }
}
