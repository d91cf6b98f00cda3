// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How many reports somebody may still bring now: it refills with time, up to a burst.
struct ReportAllowance: Sendable {
    /// An outage of two seconds may arrive at once without a report lost, and a full second more.
    static let burstSeconds = 3.0

    private var left = 0.0
    private var at = Instant.distantPast

    /// Spends one report.
    ///
    /// - Returns: Whether it may be used.
    mutating func spend(at now: Instant, rate: Double) -> Bool {
        let passed = Double(at.nanoseconds(to: now)) * 1e-9
        at = now
        left = min(max(1, rate * Self.burstSeconds), left + max(0, passed) * rate)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
