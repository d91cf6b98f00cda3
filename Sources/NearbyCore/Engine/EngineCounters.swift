// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What became of everything that came in: users diagnose with these.
public struct EngineCounters: Equatable, Sendable {
    /// Reports decoded.
    public var reports = 0
    /// Reports without a measurement: a failed round, `null`, a distance below −0.5 m.
    public var withoutMeasurement = 0
    /// Messages without a report that were no fault either: what firmware says besides, or another format.
    public var withoutReport = 0
    /// Distances that the speed gate held back.
    public var gated = 0
    /// The same report delivered twice.
    public var duplicates = 0
    /// Older than one already used.
    public var late = 0
    /// Payloads or reports that could not be decoded.
    public var malformed = 0
    /// Payloads over `limits.payload`.
    public var tooLarge = 0
    /// Reports over `limits.report_rate`.
    public var rateLimited = 0
    /// Reports that came when half of `lost_after`, or more, had passed since the one before.
    public var sparse = 0
    /// Retained reports, which never count.
    public var retained = 0
    /// Messages of accessories that may not join.
    public var refusedAccessories = 0
    /// Reports of peers over `limits.peers`.
    public var refusedPeers = 0
    /// Reports of a peer whose session is suspended.
    public var suspended = 0
    /// Reports of an earlier run.
    public var oldRun = 0
    /// Reports outside a session, where one is required.
    public var outsideSession = 0
    /// Data-channel messages that no codec understands.
    public var malformedMessages = 0
    /// Shareable configuration data that no run awaited.
    public var unawaitedShareable = 0
    /// Events made.
    public var events = 0

    /// Creates counters at zero.
    public init() {}
}
