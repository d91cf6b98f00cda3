// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// One thing worth telling a person.
struct LogLine: Equatable, Sendable {
    /// How much it matters.
    enum Level: Int, Comparable, Sendable, CaseIterable {
        case debug
        case info
        case warning
        case error

        var word: String {
            switch self {
            case .debug: "debug"
            case .info: "info"
            case .warning: "warning"
            case .error: "error"
            }
        }

        static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    var level: Level
    var message: String
    /// Unix nanoseconds.
    var at: Int64

    /// The line for people: time, level, message.
    var text: String {
        let time = String(decoding: Timestamp.text(unixNanoseconds: at), as: UTF8.self)
        return "\(time) \(level.word): \(message)\n"
    }

    /// The line for machines, and the payload of `bridge/logging`.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("at")
        json.time(unixNanoseconds: at)
        json.pair("level", level.word)
        json.pair("message", message)
        json.pair("v", 1)
        json.endObject()
        return json.bytes
    }
}
