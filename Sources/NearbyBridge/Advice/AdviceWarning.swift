// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What no zone can make up for, or makes advice doubtful.
enum AdviceWarning: Equatable, Sendable {
    /// So few distances were seen.
    case few(Int)
    /// Nobody stood still for longer than a few seconds.
    case nobodyStill
    /// Standing still was seen for so long only (seconds).
    case briefStill(Double)
    /// Distances come so far apart (seconds) that `lost_after` takes silence for loss.
    case tooSlowForLoss(interval: Double, lostAfter: Double)
    /// Distances come farther apart (seconds) than this hold lasts.
    case tooSlowForHold(key: String, hold: Double, interval: Double, zone: String)
    /// Pauses are as long as this, against the usual interval (seconds).
    case irregular(gap: Double, interval: Double)
    /// So great a share of the rounds failed.
    case failedRounds(Double)
    /// No `lost_after` that was tried outlasts the pauses; the longest (seconds).
    case longPauses(Double)
    /// No band that was tried stops the false transitions of a zone.
    case hopeless(zone: String)
    /// After that an inner zone would reach as far as an outer one.
    case merged(inner: String, outer: String)

    /// Fewer distances than this say little.
    static let fewDistances = 100
    /// Standing still for less than this says little (seconds).
    static let briefly = 20.0
    /// One pause in a hundred longer than so many intervals is irregular.
    static let irregularity = 5.0
    /// Nobody minds pauses shorter than this (seconds).
    static let shortPause = 1.0
    /// More failed rounds than this are a bad link.
    static let mostFailures = 0.2

    /// The warning in words.
    var text: String {
        switch self {
        case .few(let count):
            return "only \(count) distances: record for longer"
        case .nobodyStill:
            return
                "nobody stood still for \(Column.decimal(StillNoise.shortestStretch, 0)) s, so nothing is known of the "
                + "noise: record somebody who stands on the radius for a minute"
        case .briefStill(let seconds):
            return "somebody stood still for \(Column.decimal(seconds, 0)) s only: record a minute on the radius for "
                + "better advice"
        case .tooSlowForLoss(let interval, let lostAfter):
            return "a distance every \(Column.decimal(interval, 1)) s is too slow for lost_after: "
                + "\(Column.decimal(lostAfter, 0))s: silence is taken for loss"
        case .tooSlowForHold(let key, let hold, let interval, let zone):
            return "\(key) of \(zone) is \(Column.decimal(hold, 1)) s, and distances come every "
                + "\(Column.decimal(interval, 1)) s: it lasts until the next one"
        case .irregular(let gap, let interval):
            return
                "distances come irregularly: usually every \(Column.decimal(interval, 2)) s, but one pause in a hundred "
                + "is longer than \(Column.decimal(gap, 1)) s"
        case .failedRounds(let share):
            return
                "\(Column.decimal(100 * share, 0)) % of the rounds failed: is something in the way, or is it too far?"
        case .longPauses(let longest):
            return
                "pauses of up to \(Column.decimal(longest, 0)) s while somebody is there: no lost_after outlasts them"
        case .hopeless(let zone):
            return "no band keeps somebody at the bounds of \(zone) from going in and out: does something move there?"
        case .merged(let inner, let outer):
            return "with that \(inner) would reach as far as \(outer): the noise is too great for both, leave one out"
        }
    }
}
