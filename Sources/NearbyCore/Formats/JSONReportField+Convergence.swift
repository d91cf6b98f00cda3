// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension JSONReportField {
    /// Reads Nearby Interaction's convergence: `{"status":"not_converged","reasons":[…]}`.
    ///
    /// Without a status, reasons alone say that something is missing; an empty object says nothing.
    static func decodeConvergence(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) -> ReportError.Reason? {
        guard JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: "{") else { return .invalidValue }
        offset += 1
        var status: Convergence.Status?
        var reasons: Convergence.Reasons = []
        var others: Range<Int>?
        var isFirst = true
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            if JSONScanner.isText(of: key, "status", in: payload) {
                guard let word = try string(in: payload, at: &offset) else { return .invalidValue }
                status = JSONScanner.word(
                    word,
                    in: payload,
                    of: [("converged", .converged), ("not_converged", .notConverged), ("unknown", .unknown)]
                )
                guard status != nil else { return .invalidValue }
            } else if JSONScanner.isText(of: key, "reasons", in: payload) {
                let start = offset
                guard let found = try readReasons(in: payload, at: &offset) else { return .invalidValue }
                reasons = found.known
                others = found.hasOthers ? start..<offset : nil
            } else {
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 2)
            }
        }
        let isMissingSomething = !reasons.isEmpty || others != nil
        report.convergence = status ?? (isMissingSomething ? .notConverged : nil)
        report.convergenceReasons = reasons
        report.otherReasons = others
        return nil
    }

    /// Reads a list of reasons; `nil` if it is none.
    private static func readReasons(
        in payload: Span<UInt8>,
        at offset: inout Int
    ) throws(ReportError) -> (known: Convergence.Reasons, hasOthers: Bool)? {
        guard JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: "[") else { return nil }
        offset += 1
        var known: Convergence.Reasons = []
        var hasOthers = false
        var isFirst = true
        while try JSONScanner.nextElement(in: payload, at: &offset, isFirst: &isFirst) {
            guard let word = try string(in: payload, at: &offset) else { return nil }
            if let reason = JSONScanner.withText(of: word, in: payload, { Convergence.reason($0) }) {
                known.insert(reason)
            } else if JSONScanner.withText(of: word, in: payload, { Convergence.isReason($0) }) == true {
                hasOthers = true
            }
        }
        return (known, hasOthers)
    }
}

extension RangeReport {
    /// Goes through the reasons of convergence that are not known here, as they stand in the report's payload, until
    /// `body` returns false.
    ///
    /// Allocates nothing.
    borrowing func forEachOtherReason(in payload: Span<UInt8>, _ body: (Span<UInt8>) -> Bool) {
        guard let otherReasons, otherReasons.lowerBound >= 0, otherReasons.upperBound <= payload.count else { return }
        var offset = otherReasons.lowerBound + 1
        var isFirst = true
        while (try? JSONScanner.nextElement(in: payload, at: &offset, isFirst: &isFirst)) == true {
            guard let word = try? JSONScanner.string(in: payload, at: &offset) else { return }
            let goesOn = JSONScanner.withText(of: word, in: payload) { text in
                Convergence.reason(text) != nil || !Convergence.isReason(text) || body(text)
            }
            if goesOn == false { return }
        }
    }
}
