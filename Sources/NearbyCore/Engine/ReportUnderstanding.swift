// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Whether anything that somebody sends has ever been a report: a format that was named wrongly passes everything over.
struct ReportUnderstanding: Equatable, Sendable {
    /// So many messages without a report are no start-up chatter.
    static let patience: UInt8 = 30

    private var silent: UInt8 = 0

    /// Notes a message that was no fault.
    ///
    /// - Returns: Whether it is time to say that nothing is understood; once.
    mutating func note(hasReports: Bool) -> Bool {
        guard silent < Self.patience else { return false }
        if hasReports {
            silent = .max
            return false
        }
        silent += 1
        return silent == Self.patience
    }
}
