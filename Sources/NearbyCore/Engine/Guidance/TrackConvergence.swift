// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What a peer's reports say of convergence, and what was told of it.
struct TrackConvergence: Equatable, Sendable {
    /// Events of one peer are no closer together: convergence may flap with every frame of a camera (nanoseconds).
    static let spacing: Int64 = 1_000_000_000

    /// What the last report with convergence said; `nil` before the first.
    var current: Convergence?
    /// What the last event told.
    private(set) var told: Convergence?
    private var toldAt = Instant.distantPast

    /// When there is something to tell; `nil` if there is not.
    var due: Instant? {
        guard current != nil, current != told else { return nil }
        return toldAt.advanced(byNanoseconds: Self.spacing)
    }

    /// What is to be told now, if it is time.
    mutating func tell(at now: Instant) -> Convergence? {
        guard let due, due <= now else { return nil }
        told = current
        toldAt = now
        return current
    }

    /// Whether a report says the same as the one before; allocates nothing.
    func isSame(_ report: borrowing RangeReport, in payload: Span<UInt8>) -> Bool {
        guard let current, report.convergence == current.status, current.reasons == report.convergenceReasons else {
            return false
        }
        guard report.otherReasons != nil else { return current.others.isEmpty }
        var found = 0
        var isSame = true
        report.forEachOtherReason(in: payload) { word in
            guard found < Convergence.mostOthers else { return false }
            isSame = current.others.contains { JSONScanner.isEqual(word, $0) }
            found += 1
            return isSame
        }
        return isSame && found >= current.others.count
    }

    /// Goes on after an earlier life, which has told this.
    mutating func restore(_ convergence: Convergence?) {
        current = convergence
        told = convergence
    }

    /// The session is over: the next one begins unconverged, and that is news.
    mutating func forget() {
        current = nil
        told = nil
    }
}

extension Convergence {
    /// What a report says, whose payload this is; `nil` if it says nothing.
    public init?(_ report: borrowing RangeReport, in payload: Span<UInt8>) {
        guard let status = report.convergence else { return nil }
        self.init(status: status, reasons: report.convergenceReasons)
        var others: [String] = []
        report.forEachOtherReason(in: payload) { word in
            guard others.count < Self.mostOthers else { return false }
            let text = word.text
            if !others.contains(text) { others.append(text) }
            return true
        }
        self.others = others.sorted()
    }
}
