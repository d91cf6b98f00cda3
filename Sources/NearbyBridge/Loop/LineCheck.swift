// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Whether the broker can still be heard: a silent line is no proof that an accessory is silent.
///
/// A broker that stands still, or a cable that was pulled, ends a TCP connection only after the keep-alive, which is
/// longer than `lost_after`. So before a deadline of silence is believed on a line that has been quiet, the broker is
/// asked for an answer. MQTT has a ping, but libmosquitto keeps it to itself; ending a subscription that does not exist
/// is answered just as surely, changes nothing and needs no permission.
struct LineCheck: Equatable, Sendable {
    /// A line that was heard from so recently is alive.
    static let freshness: Duration = .seconds(1)
    /// An answer that took longer means that the line stood still meanwhile.
    static let patience: Duration = .seconds(1)

    /// When anything last came from the broker.
    private var heardAt = Instant(nanoseconds: .min)
    /// When the broker was asked; `nil` if no answer is awaited.
    private(set) var askedAt: Instant?

    /// Something came from the broker.
    ///
    /// - Returns: Whether the line stood still before, so that silence must count anew.
    mutating func heard(at now: Instant) -> Bool {
        heardAt = now
        guard let asked = askedAt else { return false }
        askedAt = nil
        return asked.duration(to: now) > Self.patience
    }

    /// Whether a deadline that has come may be carried out now.
    func isBelievable(at now: Instant) -> Bool {
        heardAt.duration(to: now) <= Self.freshness
    }

    /// The broker was asked for an answer.
    mutating func asked(at now: Instant) {
        askedAt = now
    }

    /// The connection is new: what was asked on the last one is not answered any more.
    mutating func reset(at now: Instant) {
        heardAt = now
        askedAt = nil
    }
}
