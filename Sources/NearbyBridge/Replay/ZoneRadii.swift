// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Where a zone begins and where it ends.
struct ZoneRadii: Equatable, Sendable {
    var name: String
    /// Metres: inside below.
    var radius: Double
    /// Metres: outside beyond, after a stay.
    var exitRadius: Double

    /// `nil` for a zone that is switched off or has no radius, and for a sector: distances alone do not tell of it.
    init?(_ zone: EngineOptions.NamedZone) {
        guard zone.options.isEnabled ?? true, let radius = zone.options.radius, radius > 0 else { return nil }
        guard zone.options.sector == nil else { return nil }
        name = zone.name
        self.radius = radius
        exitRadius = radius + max(0, zone.options.hysteresis ?? max(0.3, 0.1 * radius))
    }
}
