// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What a device printed or sent, kept as it came: lines or binary packets in any format of range reports.
struct VendorLog: Equatable, Sendable {
    /// A packet, line or record that is whole by itself.
    struct Entry: Equatable, Sendable {
        /// Seconds since the first.
        var time: Double
        var payload: [UInt8]
    }

    /// Where the times come from.
    enum Clock: Equatable, Sendable {
        /// From what stands before the lines.
        case lines
        /// From so many entries a second, as asked for or for want of better.
        case rate(Double)
        /// From the device's own timestamps in the reports.
        case device
    }

    /// Entries a second where nothing tells the time.
    static let usualRate = 10.0
    /// Seconds from one entry to the next where a clock jumped back.
    private static let step = 0.1
    /// No log is longer (seconds): what a garbled time says is not waited for.
    private static let longest = 1e8

    /// The format that was found or named.
    var format: RangeFormat
    /// Where the times come from.
    var clock: Clock
    /// In the order of the file, and so of time.
    var entries: [Entry]
    /// How many places of the file were no report although they began like one.
    var faults: Int

    /// Reads a log; `rate` is used where no line tells its time.
    static func parse(
        _ bytes: [UInt8],
        file: String,
        format: RangeFormat = .auto,
        rate: Double? = nil
    ) throws(CommandFailure) -> VendorLog {
        let isText = VendorLogReader.isText(bytes)
        let format = format == .auto ? VendorLogReader.format(of: bytes, isText: isText) : format
        guard let format else { throw nothing(in: bytes, isText, file, .auto, nil) }
        var reader = VendorLogReader(format: format)
        reader.read(bytes, isText: isText)
        guard !reader.pieces.isEmpty else { throw nothing(in: bytes, isText, file, format, reader.firstFault) }
        let (times, clock) = times(of: reader.pieces, rate)
        let entries = zip(times, reader.pieces).map { Entry(time: $0, payload: $1.payload) }
        return VendorLog(format: format, clock: clock, entries: entries, faults: reader.faults)
    }

    /// Why there is no report in a file.
    private static func nothing(
        in bytes: [UInt8],
        _ isText: Bool,
        _ file: String,
        _ format: RangeFormat,
        _ fault: VendorLogReader.Fault?
    ) -> CommandFailure {
        guard !bytes.isEmpty else { return CommandFailure(.badData, "\(file): the file is empty") }
        let names = RangeFormatRow.table.map(\.format.rawValue).joined(separator: ", ")
        let tried = format == .auto ? "in any format (\(names))" : "in the format \(format.rawValue)"
        let place = fault.map { isText ? ":\($0.line)" : ": byte \($0.offset)" } ?? (isText ? ":1" : ": byte 0")
        let why = fault.map { ": \($0.reason.text)" } ?? ""
        let walk = isText ? "; a walk's first line names the columns t_s and measured_m" : ""
        let message = "\(file)\(place)\(why.isEmpty ? ":" : why + ",") no report \(tried) from here to the end"
        return CommandFailure(.badData, message + walk)
    }

    // MARK: Time

    private static func times(of pieces: [VendorLogReader.Piece], _ rate: Double?) -> ([Double], Clock) {
        if let times = times(pieces.map(\.lineTime)) { return (times, .lines) }
        if rate == nil, let times = times(pieces.map(\.deviceTime)) { return (times, .device) }
        let rate = rate ?? usualRate
        return (pieces.indices.map { min(Double($0) / rate, longest) }, .rate(rate))
    }

    /// Seconds since the first, `nil` if too few are known or they run backwards too often to be one clock.
    private static func times(_ nanoseconds: [Int64?]) -> [Double]? {
        let known = nanoseconds.compactMap { $0 }
        guard known.count * 2 > nanoseconds.count else { return nil }
        let backwards = zip(known, known.dropFirst()).count { $1 < $0 }
        guard backwards * 10 < known.count else { return nil }
        var times: [Double] = []
        var now = 0.0
        var last: Int64?
        for time in nanoseconds {
            if let time {
                // A clock that jumps back has begun anew.
                if let last { now += time < last ? step : (Double(time) - Double(last)) * 1e-9 }
                last = time
            }
            now = min(now, longest)
            times.append(now)
        }
        return times
    }
}
