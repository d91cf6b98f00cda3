// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NearbyCore

/// What `record` wrote, read back as far as zones are concerned: the reports, and when the recorder was deaf.
struct Recording: Equatable, Sendable {
    /// One thing that happened.
    struct Entry: Equatable, Sendable {
        enum Kind: Equatable, Sendable {
            /// A payload of `…/report` of an accessory.
            case report([UInt8], accessory: String)
            /// A payload on somebody else's topic.
            case foreign([UInt8], topic: String, isRetained: Bool)
            case subscribed
            case disconnected
            case ended
        }

        /// Seconds of the recording's own time.
        var time: Double
        var kind: Kind
    }

    /// In the order of time.
    var entries: [Entry]

    private struct Line: Decodable {
        var t: Double?
        var time: String?
        var type: String?
        var topic: String?
        var payload: String?
        var payloadHex: String?
        var isRetained: Bool?

        enum CodingKeys: String, CodingKey {
            case t, time, type, topic, payload
            case payloadHex = "payload_hex"
            case isRetained = "retained"
        }
    }

    /// Whether a file looks like a recording: it begins with an object that has a topic, or is a mark.
    ///
    /// Vendors' logs begin with objects too.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        let text = bytes.drop(while: Self.isBlank).prefix { $0 != UInt8(ascii: "\n") }
        guard text.first == UInt8(ascii: "{"), let line = try? JSONDecoder().decode(Line.self, from: Data(text)) else {
            return false
        }
        return line.topic != nil || line.type == header || line.type.flatMap(RecordingLine.Mark.init(rawValue:)) != nil
    }

    /// What the first line says that it is.
    private static let header = "recording"

    /// Reads a recording; a line that a crash cut off at the very end is left out.
    static func parse(_ bytes: [UInt8], file: String) throws(Walk.Fault) -> Recording {
        var recording = Recording(entries: [])
        let decoder = JSONDecoder()
        var number = 0
        var firstTime: Int64?
        var rest = bytes[...]
        while !rest.isEmpty {
            number += 1
            let text = rest.prefix { $0 != UInt8(ascii: "\n") }
            let isWhole = text.endIndex < rest.endIndex
            rest = rest[(isWhole ? text.endIndex + 1 : text.endIndex)...]
            guard !text.allSatisfy(Self.isBlank) else { continue }
            guard let line = try? decoder.decode(Line.self, from: Data(text)) else {
                guard isWhole else { break }
                throw Walk.Fault(file: file, line: number, message: "expected a JSON object as record writes it")
            }
            guard let kind = try kind(of: line, file, number) else { continue }
            guard let time = seconds(of: line, &firstTime), time.magnitude < 1e9 else {
                throw Walk.Fault(file: file, line: number, message: "expected t, in seconds from the start, or time")
            }
            if let last = recording.entries.last, time < last.time {
                throw Walk.Fault(file: file, line: number, message: "t runs backwards; sort the file by time")
            }
            recording.entries.append(Entry(time: time, kind: kind))
        }
        return recording
    }

    /// What a line means for zones; `nil` for what is nothing to them.
    private static func kind(of line: Line, _ file: String, _ number: Int) throws(Walk.Fault) -> Entry.Kind? {
        guard let topic = line.topic else {
            switch line.type {
            case RecordingLine.Mark.subscribed.rawValue: return .subscribed
            case RecordingLine.Mark.disconnected.rawValue: return .disconnected
            case RecordingLine.Mark.ended.rawValue: return .ended
            case header: return nil
            default:
                throw Walk.Fault(file: file, line: number, message: "expected a topic, or a type that record writes")
            }
        }
        // A retained report makes no event live either.
        let accessory = reporter(topic)
        let isRetained = line.isRetained == true
        guard accessory == nil ? !isOwn(topic) : !isRetained else { return nil }
        let payload: [UInt8]
        if let text = line.payload {
            payload = Array(text.utf8)
        } else if let text = line.payloadHex, let bytes = try? Hexadecimal.decode(Array(text.utf8).span) {
            payload = bytes
        } else {
            throw Walk.Fault(file: file, line: number, message: "expected payload, or payload_hex with proper bytes")
        }
        guard let accessory else { return .foreign(payload, topic: topic, isRetained: isRetained) }
        return .report(payload, accessory: accessory)
    }

    /// Whether a topic is one of an accessory's that are no reports, whatever the base topic was.
    private static func isOwn(_ topic: String) -> Bool {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        return levels.dropFirst().contains("accessory") && levels.count >= 4
    }

    /// The accessory of a report's topic, whatever the base topic was.
    private static func reporter(_ topic: String) -> String? {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count >= 3, levels.last == "report", levels[levels.count - 3] == "accessory" else { return nil }
        let name = String(levels[levels.count - 2])
        return AccessoryIdentifier.isValid(Array(name.utf8).span) ? name : nil
    }

    /// Seconds from the start: as recorded, else by the calendar from the first line that has it.
    private static func seconds(of line: Line, _ first: inout Int64?) -> Double? {
        if let t = line.t { return t.isFinite ? t : nil }
        guard let text = line.time else { return nil }
        let bytes = Array(text.utf8)
        guard let nanoseconds = ISO8601Timestamp.nanoseconds(bytes.span) else { return nil }
        let origin = first ?? nanoseconds
        first = origin
        return Double(nanoseconds &- origin) * 1e-9
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
