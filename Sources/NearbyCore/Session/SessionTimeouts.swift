// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How long a session waits in each of its stages.
///
/// No public source names Apple's own figures (reference/nearby-interaction.md section 5); these are minima, scaled with
/// the ranging interval so that slow accessories are not punished.
public struct SessionTimeouts: Equatable, Sendable {
    /// From `initialize` to the accessory configuration data.
    public var configuration: Duration = .seconds(5)
    /// From the accessory configuration data to the phone's shareable configuration data.
    public var shareable: Duration = .seconds(5)
    /// From `configureAndStart` to the first valid range; at least eight intervals.
    public var start: Duration = .seconds(3)
    /// Without a valid range while ranging; at least twelve intervals.
    public var silence: Duration = .seconds(5)
    /// From `online` to `initialize`, unless the accessory configuration data comes by itself.
    public var announcement: Duration = .milliseconds(500)
    /// From `stop` to its acknowledgement, which may never come.
    public var stop: Duration = .seconds(2)
    /// A suspension longer than this invalidates the session.
    public var suspended: Duration = .seconds(60)
    /// How long an accessory may be offline before its run is over.
    public var offlineGrace: Duration = .seconds(5)

    /// Creates the defaults of CONTRACT section 7.
    public init() {}

    /// The start time-out at a ranging interval.
    func start(interval: Duration) -> Duration { max(start, interval * 8) }
    /// The silence time-out at a ranging interval.
    func silence(interval: Duration) -> Duration { max(silence, interval * 12) }
}
