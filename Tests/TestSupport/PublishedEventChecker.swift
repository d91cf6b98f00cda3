// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Knows every event that was published, from any number of listeners, and says what is wrong with them.
///
/// A listener may get an event twice, never with other content, and never after a later one that it had not seen. What
/// all of them got together makes the story of each stream; its numbers have no gap.
public struct PublishedEventChecker {
    private struct Told {
        var payload: [UInt8]
        var summary: String
        var zone: String
        var isEnter: Bool
        var visit: Int64
    }

    private struct Ear: Hashable {
        var listener: Int
        var stream: String
    }

    /// What was found wrong with single events, at most twenty of them.
    public private(set) var violations: [String] = []
    /// Events, each counted once.
    public private(set) var count = 0
    /// How often an event came again to somebody who had it.
    public private(set) var repetitions = 0
    private var streams: [String: [Int64: Told]] = [:]
    private var heard: [Ear: Set<Int64>] = [:]
    private var last: [Ear: Int64] = [:]

    /// Creates a checker that has heard nothing.
    public init() {}

    /// Takes what a listener got on an event topic.
    public mutating func take(_ payload: [UInt8], on topic: String, isRetained: Bool, from listener: Int) {
        let text = String(decoding: payload, as: UTF8.self)
        guard let event = JSONText.object(payload), let sequence = (event["seq"] as? Int).map(Int64.init) else {
            return report("no event: \(text)")
        }
        let accessory = event["accessory"] as? String ?? ""
        let stream = (event["peer"] as? String).map { "\(accessory)/\($0)" } ?? accessory
        let isOnItsTopic = topic.hasSuffix("/\(stream.replacing("/", with: "/peer/"))/event")
        if event["id"] as? String != "\(stream):\(sequence)" || !isOnItsTopic || isRetained {
            report("an event that is not what its topic says: \(topic) \(text)")
        }
        let ear = Ear(listener: listener, stream: stream)
        if heard[ear, default: []].insert(sequence).inserted {
            if let before = last[ear], sequence < before { report("\(stream):\(sequence) after \(before)") }
            last[ear] = max(sequence, last[ear] ?? sequence)
        } else {
            repetitions += 1
        }
        if let known = streams[stream]?[sequence] {
            if known.payload != payload { report("\(stream):\(sequence) came with two contents") }
            return
        }
        count += 1
        streams[stream, default: [:]][sequence] = Told(
            payload: payload,
            summary: Self.summary(event),
            zone: event["zone"] as? String ?? "",
            isEnter: event["type"] as? String == "zone_enter",
            visit: (event["visit"] as? Int).map(Int64.init) ?? 0
        )
    }

    private static func summary(_ event: [String: Any]) -> String {
        let zone = event["zone"] as? String ?? ""
        switch event["type"] as? String {
        case "zone_enter": return "enter \(zone)"
        case "zone_exit": return "exit \(zone) \(event["reason"] as? String ?? "")"
        case let type: return type ?? ""
        }
    }

    private mutating func report(_ text: String) {
        if violations.count < 20 { violations.append(text) }
    }

    // MARK: Stories

    /// The names of all streams: `lamp`, `lamp/alice`.
    public var names: Set<String> { Set(streams.keys) }

    /// What happened in a stream, in the order of its numbers.
    public func story(of stream: String) -> [String] { ordered(stream).map(\.value.summary) }

    private func ordered(_ stream: String) -> [(key: Int64, value: Told)] {
        (streams[stream] ?? [:]).sorted { $0.key < $1.key }
    }

    /// Numbers that nobody ever got, between those that somebody got.
    public var missingNumbers: Int {
        streams.values.reduce(0) { sum, events in
            guard let first = events.keys.min(), let last = events.keys.max() else { return sum }
            return sum + Int(last - first) + 1 - events.count
        }
    }

    /// Exits of a visit other than the one that was entered, and enters that do not name their own.
    public var wrongVisits: [String] {
        names.flatMap { stream in
            var visits: [String: Int64] = [:]
            return ordered(stream).compactMap { sequence, event in
                defer { visits[event.zone] = event.isEnter ? event.visit : nil }
                let expected = event.isEnter ? sequence : visits[event.zone]
                return event.visit == expected ? nil : "\(stream):\(sequence) \(event.summary) of visit \(event.visit)"
            }
        }
    }

    /// What a true story lacks in what was told of a stream, and what was told without having happened.
    public func differences(_ truth: [String], of stream: String) -> (lost: Int, invented: Int) {
        let difference = story(of: stream).difference(from: truth)
        return (difference.removals.count, difference.insertions.count)
    }
}
