// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One range measurement as a format delivers it: before offset, plausibility and smoothing.
///
/// Every format decodes into this one record, so nothing behind the decoder knows where a report came from.
/// Absent values are `nil`; a report without a distance is still a report (it says that ranging was tried).
public struct RangeReport: Equatable, Sendable {
    /// What became of the ranging round.
    public enum Status: UInt8, Sendable {
        /// A distance was measured, if the report has one.
        case ok
        /// The other end did not answer.
        case timeout
        /// The round failed otherwise.
        case error
    }

    /// Coarse elevation of the peer, as Nearby Interaction's `VerticalDirectionEstimate` gives it.
    public enum Vertical: UInt8, Sendable {
        /// Not known.
        case unknown
        /// At the same height.
        case same
        /// Above.
        case above
        /// Below.
        case below
        /// Not at the same height; which way is not known.
        case aboveOrBelow
    }

    /// What a radio tells of its session besides measurements (reference/uwb-reports.md section 1.6).
    public enum Signal: UInt8, Sendable {
        /// The other end has ended the session.
        case ended
        /// So many rounds in a row have failed that the radio has given up.
        case exhausted
        /// The other end has paused the session.
        case suspended
        /// The other end goes on with the session that it has paused.
        case resumed
    }

    /// Which peer a report speaks of.
    public enum Peer: Equatable, Sendable {
        /// The source has a single peer and does not name it.
        case unnamed
        /// A name: the bytes of this range of the payload.
        case name(Range<Int>)
        /// The address or number that the radio gives it.
        case address(RadioAddress)
    }

    /// What the radio tells of the session: then this is no measurement.
    public var signal: Signal?
    /// Metres as measured, `nil` where there was no measurement, never NaN or infinite.
    public var distance: Double?
    /// `.ok` unless the source says otherwise.
    public var status: Status = .ok
    /// The other end of the range.
    public var peer: Peer = .unnamed
    /// Who measured, if the payload says so: the end that is not `peer`.
    public var reporter: Peer = .unnamed
    /// Whether the reporter is an anchor and `peer` a tag; else it is the other way round.
    public var isReportedByAnchor = false
    /// Where the reporter is, in metres of the coordinates in which anchors and accessories are given; `nil` unless that
    /// is what the source tells instead of distances.
    public var position: SIMD3<Double>?
    /// The position has no height: distances from it are horizontal.
    public var isHorizontal = false
    /// The reporter is an anchor that tells its own place: nothing was measured.
    public var isAnchorPosition = false
    /// The source says that the reporter is not there any more: nothing was measured.
    public var isGone = false
    /// Unit vector towards the peer, x right, y up, z backwards, as Nearby Interaction gives it.
    public var direction: SIMD3<Float>?
    /// Degrees.
    public var azimuth: Float?
    /// The azimuth's figure of merit in percent; `nil` where the source gives none.
    public var azimuthMerit: Float?
    /// Degrees.
    public var elevation: Float?
    /// Radians, as Nearby Interaction's `horizontalAngle`.
    public var horizontalAngle: Float?
    /// Coarse elevation.
    public var vertical: Vertical?
    /// Where the peer is in the phone's own world, in metres, as Nearby Interaction's `worldTransform` has it.
    public var worldPosition: SIMD3<Float>?
    /// How far the phone's camera assistance has come.
    public var convergence: Convergence.Status?
    /// What convergence waits for.
    public var convergenceReasons: Convergence.Reasons = []
    /// Where in the payload the list of those reasons stands, if some of them are not known here.
    public var otherReasons: Range<Int>?
    /// 0 (useless) … 1 (certain).
    public var quality: Float?
    /// Whether the path was judged to be obstructed.
    public var isNonLineOfSight: Bool?
    /// dBm.
    public var rssi: Float?
    /// The source's own counter.
    public var sequence: Int64?
    /// Nanoseconds on the source's own clock, whose origin is arbitrary: only differences mean anything.
    public var timestamp: Int64?
    /// The run of the session that the report belongs to.
    public var run: Int64?

    /// Creates a report that says nothing yet.
    public init() {}
}
