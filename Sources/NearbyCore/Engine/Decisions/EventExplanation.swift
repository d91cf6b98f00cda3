// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Why a zone event fell.
public struct EventExplanation: Equatable, Sendable {
    /// The peer whose reports decided; `nil` for the unnamed one.
    public var peer: String?
    /// What was decided about it, and what decided it.
    public var decision: ZoneDecision
    /// What the zone asks of it; `nil` where it is disabled.
    public var rules: ZoneExplanation.Rules?
    /// The reports up to the one that decided, oldest first, as far as they are still kept.
    public var samples: [ReportSample]
}
