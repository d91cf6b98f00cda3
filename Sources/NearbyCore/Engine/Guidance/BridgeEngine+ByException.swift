// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Sources that speak on change only: once at the edge, or again and again while something is true.
///
/// Their silence means that nothing has changed, for zones as well as for sessions.
extension BridgeEngine {
    /// Whether an accessory's source speaks on change only.
    func isByException(_ accessory: Int) -> Bool { accessories[accessory].options.reports == .byException }

    /// How long sessions of an accessory wait: for a report of a source that speaks on change only, for ever.
    func timeouts(of accessory: Int) -> SessionTimeouts {
        guard isByException(accessory) else { return options.session.timeouts }
        var timeouts = options.session.timeouts
        timeouts.silence = Self.forEver
        return timeouts
    }

    /// A century: longer than any bridge runs, and no deadline overflows by it.
    private static let forEver = Duration.seconds(86_400 * 36_525)

    /// What the accessory's word that it has started is worth: a hint, but for a source that speaks on change only the
    /// first report may come in a month.
    func didStartInput(of owner: SessionOwner) -> SessionInput {
        guard isByException(accessoryIndex(of: owner)), let session = session(of: owner), session.takesCommands else {
            return .didStart
        }
        return session.state == .starting ? .range : .didStart
    }

    /// The filter time that a repeated report brings, which repeats the stamp of when it became true as well.
    mutating func repeatStep(of track: Int, at now: Instant) -> Int64 {
        let step = max(0, silenceBegan(track).nanoseconds(to: now))
        tracks[track].repeatedTime &+= step
        return step
    }

    /// The filter time that a new report brings, beyond what the repetitions of the last one have brought already.
    mutating func step(of track: Int, after step: Int64) -> Int64 {
        guard tracks[track].repeatedTime > 0 else { return step }
        defer { tracks[track].repeatedTime = 0 }
        return max(0, step - tracks[track].repeatedTime)
    }
}
