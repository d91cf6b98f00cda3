// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// When to say that nothing has ever come from an accessory: brokers acknowledge subscriptions that they will not serve.
struct ReportHint: Equatable, Sendable {
    /// So long nobody need be there.
    static let patience: Duration = .seconds(180)

    private var due: Instant?
    private var isTold = false

    /// Our subscription to reports is acknowledged.
    mutating func subscribed(at now: Instant) {
        if !isTold { due = now.advanced(by: Self.patience) }
    }

    /// The connection is gone.
    mutating func disconnected() {
        due = nil
    }

    /// Whether it is time to say so; at most once.
    mutating func isDue(at now: Instant, hasHeard: Bool) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        isTold = true
        return !hasHeard
    }
}
