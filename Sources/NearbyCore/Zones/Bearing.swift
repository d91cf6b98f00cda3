// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// In which direction one peer stands, as far as one sector zone knows.
///
/// A sector has one of its own, since sectors may ask for angles of different merit.
struct Bearing: Equatable, Sendable {
    /// Seconds of lag: single wrong angles are common, and people turn slowly.
    static let lag = 0.3

    private var degrees = 0.0
    private var isKnown = false
    private var lastTime: Int64 = 0
    /// Whether the last report had an angle that counts.
    private(set) var isCurrent = false
    /// When such an angle last came; before the first, since when one is waited for.
    var lastAt: Instant

    init(since: Instant) {
        lastAt = since
    }

    /// The smoothed azimuth in degrees; it stays while reports without an angle come.
    var azimuth: Double? { isKnown ? degrees : nil }

    /// Follows an angle, the short way round; `time` is filter time in nanoseconds.
    mutating func observe(_ azimuth: Double, at time: Int64, _ now: Instant, isSmoothed: Bool) {
        if isKnown, isSmoothed {
            let step = max(Double(time &- lastTime) * 1e-9, DistanceFilter.shortestStep)
            let turn = (azimuth - degrees).wrappedDegrees
            degrees = (degrees + smoothingWeight(step, Self.lag) * turn).wrappedDegrees
        } else {
            degrees = azimuth.wrappedDegrees
        }
        isKnown = true
        isCurrent = true
        lastTime = time
        lastAt = now
    }

    /// A report came without an angle that counts.
    mutating func miss() {
        isCurrent = false
    }

    /// Forgets the direction, but not when it was seen.
    mutating func forget() {
        isKnown = false
        isCurrent = false
    }
}
