// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import NearbyCore

/// What an engine makes of a stream that comes in several messages.
struct StreamDecoding {
    /// The distances that reached the zones, in their order of coming.
    private(set) var distances: [Double] = []
    /// What was counted.
    let counters: EngineCounters

    init(_ messages: [[UInt8]], format: RangeFormat = .auto) {
        // The reports as the decoder gives them, with what a message leaves unfinished put before the next.
        var unfinished: [UInt8] = []
        var row: Int?
        for message in messages {
            let payload = unfinished + message
            unfinished = []
            var cursor = ReportCursor()
            cursor.row = row
            var report = RangeReport()
            while true {
                do throws(ReportError) {
                    guard try RangeFormat.next(in: payload.span, format: format, at: &cursor, into: &report) else {
                        break
                    }
                    if let distance = report.distance { distances.append(distance) }
                } catch {
                    if cursor.isFinished { break }
                }
            }
            row = nil
            if let tail = cursor.unfinishedTail {
                unfinished = Array(payload[tail...])
                row = cursor.row
            }
        }
        counters = Self.counters(of: messages)
    }

    /// What the engine counts of the same messages.
    private static func counters(of messages: [[UInt8]]) -> EngineCounters {
        var generator = SeededGenerator(seed: 1)
        var engine = BridgeEngine(options: .plain(), using: &generator)
        var effects = EffectBuffer()
        let now = Instant(nanoseconds: 1_000_000_000)
        engine.handle(.subscribed, at: now, into: &effects)
        guard let lamp = engine.accessory(Array("lamp".utf8).span, at: now, into: &effects) else {
            return engine.counters
        }
        for message in messages { engine.handleReport(message.span, from: lamp, at: now, into: &effects) }
        return engine.counters
    }
}
