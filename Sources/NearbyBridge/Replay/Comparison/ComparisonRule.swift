// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Somebody's rule of what is inside a zone, written again for comparison: one peer and one zone.
protocol ComparisonRule: Sendable {
    /// Takes a distance (metres) at a time (seconds); who was never seen is outside.
    ///
    /// - Returns: Whether the peer is inside from now on.
    mutating func isInside(_ distance: Double, at time: Double, _ zone: ZoneRadii) -> Bool
}
