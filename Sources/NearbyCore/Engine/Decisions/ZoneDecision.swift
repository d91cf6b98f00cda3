// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Something that was decided about one zone of one accessory–peer, and what decided it.
///
/// Small, since every track keeps its last ones for the case that somebody asks.
public struct ZoneDecision: Equatable, Sendable {
    /// What was decided.
    public enum Kind: Equatable, Sendable {
        /// A stay began.
        case entered
        /// A stay ended.
        case exited(ZoneExitReason)
        /// From unknown to outside.
        case settled
    }

    /// When.
    public let at: Instant
    private let heldNanoseconds: Int64
    private let raw: Float
    private let smoothed: Float
    private let limit: Float
    private var place: UInt8
    /// What was decided.
    public let kind: Kind
    /// In 1/128 degree.
    private let direction: Int16

    /// Where in the options the zone stands.
    public internal(set) var zone: Int {
        get { Int(place) }
        set { place = UInt8(clamping: newValue) }
    }

    /// The corrected distance before smoothing, in metres; `nil` if no report ever came.
    public var rawDistance: Double? { Self.known(raw) }
    /// The smoothed distance in metres; `nil` if no report ever came.
    public var distance: Double? { Self.known(smoothed) }
    /// The radius or exit radius that decided, in metres; `nil` where no distance did.
    public var threshold: Double? { Self.known(limit) }
    /// Of a sector, the smoothed azimuth in degrees; `nil` of other zones, while none is known, and where only the lack of
    /// reports decided.
    public var azimuth: Double? { direction == .min ? nil : Double(direction) / 128 }
    /// How long the hold had run, or, of a loss, the silence or the lack of an angle; `nil` where no time decided.
    public var held: Duration? { heldNanoseconds == .min ? nil : .nanoseconds(heldNanoseconds) }

    /// Makes a decision; `held` is in nanoseconds, `Int64.min` where no time decided.
    init(
        _ kind: Kind,
        zone: Int,
        at: Instant,
        rawDistance: Double? = nil,
        distance: Double? = nil,
        threshold: Double? = nil,
        azimuth: Double? = nil,
        held: Int64 = .min
    ) {
        self.kind = kind
        self.at = at
        place = UInt8(clamping: zone)
        raw = rawDistance.map { Float($0) } ?? Self.unknown
        smoothed = distance.map { Float($0) } ?? Self.unknown
        limit = threshold.map { Float($0) } ?? Self.unknown
        heldNanoseconds = held
        direction = azimuth.flatMap { Int16(exactly: ($0 * 128).rounded()) } ?? .min
    }

    /// Stands for a distance that is not known: no distance is negative, and an optional takes more room.
    private static let unknown: Float = -1

    private static func known(_ metres: Float) -> Double? { metres < 0 ? nil : Double(metres) }
}
