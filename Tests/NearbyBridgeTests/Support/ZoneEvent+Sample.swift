// nearby-bridge · SPDX-License-Identifier: Apache-2.0

@testable import NearbyCore

extension ZoneEvent {
    /// An event of the lamp.
    static func sample(
        peer: String? = nil,
        kind: ZoneEvent.Kind = .enter,
        at: Instant = Instant(nanoseconds: 2_000_000_000),
        distance: Double? = 1.25
    ) -> ZoneEvent {
        ZoneEvent(
            accessory: "lamp",
            peer: peer,
            sequence: 1_764_511_312_001,
            at: at,
            kind: kind,
            zone: "immediate",
            radius: 1.5,
            distance: distance,
            visit: 1_764_511_312_000
        )
    }
}
