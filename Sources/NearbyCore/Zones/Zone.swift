// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One zone as it applies to one accessory–peer: every option resolved, times in nanoseconds.
public struct Zone: Equatable, Sendable {
    /// How long a distance below the radius must last before the zone is entered, unless configured.
    public static let defaultEnterHold: Duration = .zero
    /// How long a distance beyond the exit radius must last before the zone is left, unless configured.
    public static let defaultExitHold: Duration = .milliseconds(200)
    /// More zones than any use; they live in the bits of a word.
    public static let maximumCount = 32

    /// The place of the zone in the configuration, the same for every accessory.
    public var index: Int
    /// Metres.
    public var radius: Double
    /// Metres; never below the radius.
    public var exitRadius: Double
    var enterHold: Int64
    var exitHold: Int64
    /// `Int64.max` is never.
    var lostAfter: Int64
    /// `Int64.max` is never.
    var dwell: Int64
    /// The directions in which it lies; `nil` for all, and whether there is a direction at all does not matter then.
    public var sector: Sector?

    /// Resolves options; `nil` where the zone is disabled or has no radius.
    init?(index: Int, options: ZoneOptions, lostAfter: Patience) {
        guard options.isEnabled ?? true, let radius = options.radius, radius > 0, radius.isFinite else { return nil }
        self.index = index
        self.radius = radius
        exitRadius = radius + max(0, options.hysteresis ?? max(0.3, 0.1 * radius))
        enterHold = max(0, (options.enterHold ?? Self.defaultEnterHold).wholeNanoseconds)
        exitHold = max(0, (options.exitHold ?? Self.defaultExitHold).wholeNanoseconds)
        self.lostAfter = (options.lostAfter ?? lostAfter).nanoseconds
        dwell = (options.dwell ?? .never).nanoseconds
        sector = options.sector
    }
}

/// The zones of one accessory–peer, from the innermost to the outermost by effective radius.
struct ZoneSet: Equatable, Sendable {
    /// Innermost first; of the same radius sectors first, then in the order of the configuration.
    var zones: [Zone]
    /// How long until the peer itself counts as lost; `Int64.max` is never.
    var lostAfter: Int64
    /// Whether any zone has a dwell time.
    let hasDwell: Bool
    /// How many of the zones are sectors.
    let sectorCount: Int

    init(zones: [Zone], lostAfter: Patience) {
        hasDwell = zones.contains { $0.dwell != .max }
        sectorCount = zones.count { $0.sector != nil }
        self.zones = zones.sorted {
            ($0.radius, $0.sector == nil ? 1 : 0, $0.index) < ($1.radius, $1.sector == nil ? 1 : 0, $1.index)
        }
        self.lostAfter = lostAfter.nanoseconds
    }
}
