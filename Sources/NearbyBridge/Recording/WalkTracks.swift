// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The distances of a recording or of a device's log, as walks: one for each accessory and peer.
///
/// Positions are no distances; they would need the places of anchors.
struct WalkTracks {
    /// The walks, in the order in which they begin; each with times from the first message on.
    private(set) var walks: [Walk] = []
    /// How many reports were read.
    private(set) var reports = 0
    /// How many messages or packets were read.
    private(set) var messages = 0
    private var indices: [String: Int] = [:]
    /// What a topic's last message has not finished.
    private var tails: [String: [UInt8]] = [:]
    private var firstTime: Double?

    /// Collects what a recording has of accessories' reports, and of other topics whose format is recognised.
    init(_ recording: Recording) {
        for entry in recording.entries {
            switch entry.kind {
            case .report(let payload, let accessory): take(payload, from: accessory, .auto, at: entry.time)
            case .foreign(let payload, let topic, let isRetained):
                guard !isRetained else { continue }
                take(payload, from: topic, .auto, at: entry.time)
            case .subscribed, .disconnected, .ended: tails = [:]
            }
        }
    }

    /// Collects what a log has.
    init(_ log: VendorLog) {
        for entry in log.entries { take(entry.payload, from: "", log.format, at: entry.time) }
    }

    private mutating func take(_ payload: [UInt8], from source: String, _ format: RangeFormat, at time: Double) {
        messages += 1
        let origin = firstTime ?? time
        firstTime = origin
        let bytes = (tails[source] ?? []) + payload
        tails[source] = nil
        var cursor = ReportCursor()
        var report = RangeReport()
        while true {
            do throws(ReportError) {
                guard try RangeFormat.next(in: bytes.span, format: format, at: &cursor, into: &report) else { break }
                add(report, of: source, in: bytes, at: time - origin)
            } catch {
                if cursor.isFinished { break }
            }
        }
        guard let tail = cursor.unfinishedTail, bytes.count - tail <= Self.longestTail else { return }
        tails[source] = Array(bytes[tail...])
    }

    /// So many bytes without an end are noise.
    private static let longestTail = 8192

    private mutating func add(_ report: RangeReport, of source: String, in bytes: [UInt8], at time: Double) {
        reports += 1
        let range = BridgeEngine.leastDistance...BridgeEngine.greatestDistance
        guard report.status == .ok, let distance = report.distance, range ~= distance else { return }
        let ends = [report.reporter, report.peer].compactMap { Self.name(of: $0, in: bytes) }
        let name = ([source].filter { !$0.isEmpty } + ends).joined(separator: "/")
        let index = indices[name] ?? walks.count
        if index == walks.count {
            indices[name] = index
            walks.append(Walk(name: name, samples: []))
        }
        walks[index].samples.append(Walk.Sample(time: time, measured: max(0, distance), truth: nil))
    }

    private static func name(of peer: RangeReport.Peer, in bytes: [UInt8]) -> String? {
        switch peer {
        case .unnamed: nil
        case .name(let range): String(decoding: bytes[range], as: UTF8.self)
        case .address(let address): "\(address)"
        }
    }
}
