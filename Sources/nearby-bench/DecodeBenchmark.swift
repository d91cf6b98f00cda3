// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import CAllocations
import LinuxSystem
import NearbyCore

/// How long it takes to decode one report of a format, and how many blocks of memory that takes.
struct DecodeBenchmark {
    /// Payloads that are decoded in one turn.
    private static let payloads = 20_000

    /// Of one turn, for each report.
    private struct Turn {
        var nanoseconds: Double
        var allocations: Double
    }

    /// The format, as the configuration calls it.
    var format: String
    /// Reports in its canonical sample.
    var reports: Int
    /// Bytes of it.
    var bytes: Int
    /// For each report, the median over the turns: with the format named, and found out from the payload.
    var named: Double
    var found: Double
    /// Blocks of memory asked for, for each report.
    var allocations: Double

    /// One line of JSON, keys sorted.
    var json: String {
        "{\"allocations\":\(rounded(allocations, 1000)),\"benchmark\":\"decode\",\"bytes\":\(bytes),"
            + "\"format\":\"\(format)\",\"ns_auto\":\(rounded(found, 10)),\"ns_named\":\(rounded(named, 10)),"
            + "\"reports\":\(reports)}"
    }

    /// What is decoded: the canonical sample of every format, and UCI as the octets that a device sends.
    private static var samples: [(name: String, format: RangeFormat, payload: [UInt8])] {
        RangeFormatRow.table.flatMap { row in
            let text = (name: "\(row.format)", format: row.format, payload: Array(row.sample.utf8))
            guard row.format == .uci, let octets = try? Hexadecimal.decode(text.payload.span) else { return [text] }
            return [(name: "uci, octets", format: row.format, payload: octets), text]
        }
    }

    /// Measures every format; the turns of all alternate, so that a busy moment of the machine does not hit one of them.
    static func results(turns: Int) -> [DecodeBenchmark] {
        let samples = samples
        let counts = samples.map { decode($0.payload, as: $0.format) }
        var named: [[Turn]] = Array(repeating: [], count: samples.count)
        var found = named
        for _ in 0..<turns {
            for (place, sample) in samples.enumerated() where counts[place] > 0 {
                named[place].append(turn(sample.payload, as: sample.format, counts[place]))
                found[place].append(turn(sample.payload, as: .auto, counts[place]))
            }
        }
        return samples.indices.filter { counts[$0] > 0 }.map { place in
            DecodeBenchmark(
                format: samples[place].name,
                reports: counts[place],
                bytes: samples[place].payload.count,
                named: median(named[place].map(\.nanoseconds)),
                found: median(found[place].map(\.nanoseconds)),
                allocations: median(named[place].map(\.allocations))
            )
        }
    }

    private static func turn(_ payload: [UInt8], as format: RangeFormat, _ reports: Int) -> Turn {
        var sum = 0
        let allocations = nearby_allocations()
        let begin = MonotonicClock.now()
        for _ in 0..<payloads { sum += decode(payload, as: format) }
        let end = MonotonicClock.now()
        let blocks = nearby_allocations() - allocations
        precondition(sum == payloads * reports, "a report was lost")
        precondition(allocations > 0, "nothing counts allocations here")
        let all = Double(payloads * reports)
        return Turn(nanoseconds: Double(end - begin) / all, allocations: Double(blocks) / all)
    }

    /// Decodes a whole payload; the number of reports in it.
    private static func decode(_ payload: [UInt8], as format: RangeFormat) -> Int {
        var cursor = ReportCursor()
        var report = RangeReport()
        var count = 0
        do {
            while try RangeFormat.next(in: payload.span, format: format, at: &cursor, into: &report) { count += 1 }
        } catch {
            return 0
        }
        return count
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    private func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }
}
