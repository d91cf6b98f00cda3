// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A recorded walk: when what was measured and, if known, what was true.
struct Walk: Equatable, Sendable {
    /// One measurement.
    struct Sample: Equatable, Sendable {
        /// Seconds of the recording's own time.
        var time: Double
        /// Metres.
        var measured: Double
        /// Metres, if the recording knows.
        var truth: Double?
    }

    /// Why a file is no walk.
    struct Fault: Error, Equatable, CustomStringConvertible {
        var file: String
        /// Counted from 1.
        var line: Int
        var message: String

        var description: String { "\(file):\(line): \(message)" }
    }

    /// The name of the file without folder and ending.
    var name: String
    /// In the order of time.
    var samples: [Sample]

    /// Whether every sample knows the truth.
    var hasTruth: Bool { !samples.isEmpty && samples.allSatisfy { $0.truth != nil } }

    /// Whether the first line names one of the columns that a walk must have.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        let line = String(decoding: bytes.prefix(4096).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return line.split(separator: ",").contains { ["t_s", "measured_m"].contains(trimmed($0)) }
    }

    /// Reads comma-separated values whose first line names the columns `t_s`, `measured_m` and perhaps `true_m`.
    ///
    /// Other columns are passed over; an empty field is no measurement.
    static func parse(_ bytes: [UInt8], file: String) throws(Fault) -> Walk {
        // Spreadsheets put a byte order mark before the first name.
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let lines = String(decoding: bytes[mark...], as: UTF8.self).split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline
        )
        let header = lines.first.map { $0.split(separator: ",", omittingEmptySubsequences: false) } ?? []
        let names = header.map { trimmed($0) }
        guard let time = names.firstIndex(of: "t_s"), let measured = names.firstIndex(of: "measured_m") else {
            throw Fault(
                file: file,
                line: 1,
                message: "the first line must name the columns t_s and measured_m, and may name true_m"
            )
        }
        let truth = names.firstIndex(of: "true_m")
        var samples: [Sample] = []
        for (number, line) in lines.enumerated().dropFirst() where !trimmed(line).isEmpty {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0) }
            func field(_ column: Int?) throws(Fault) -> Double? {
                guard let column, column < fields.count, !fields[column].isEmpty else { return nil }
                guard let value = Double(fields[column]), value.isFinite else {
                    throw Fault(file: file, line: number + 1, message: "\(names[column]) is not a number")
                }
                return value
            }
            guard let t = try field(time) else {
                throw Fault(file: file, line: number + 1, message: "t_s is missing")
            }
            guard t.magnitude < 1e9 else {
                throw Fault(
                    file: file,
                    line: number + 1,
                    message: "t_s must be seconds from the start of the recording"
                )
            }
            if let last = samples.last, t < last.time {
                throw Fault(file: file, line: number + 1, message: "t_s runs backwards; sort the file by time")
            }
            guard let distance = try field(measured) else { continue }
            samples.append(Sample(time: t, measured: distance, truth: try field(truth)))
        }
        return Walk(name: baseName(file), samples: samples)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The name of a file without its folder and without the endings that say what it is.
    static func baseName(_ path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return last.withoutSuffix(".gz").withoutSuffix(".csv")
    }
}

extension String {
    fileprivate func withoutSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
