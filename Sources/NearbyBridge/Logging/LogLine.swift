// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// One thing worth telling a person.
struct LogLine: Equatable, Sendable {
    /// How much it matters.
    var level: LogLevel
    /// What it is about.
    var subsystem: LogSubsystem
    var message: String
    /// Unix nanoseconds.
    var at: Int64

    /// The line for people: time, level, subsystem, message.
    var text: String {
        let time = String(decoding: Timestamp.text(unixNanoseconds: at), as: UTF8.self)
        return "\(time) \(level.rawValue) \(subsystem.rawValue): \(message)\n"
    }

    /// The line for the journal, which takes the level from its start and has a clock of its own.
    var journalText: String { "\(subsystem.rawValue): \(message)\n" }

    /// The line for machines, and the payload of `bridge/logging`.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("at")
        json.time(unixNanoseconds: at)
        json.pair("level", level.rawValue)
        json.pair("message", message)
        json.pair("subsystem", subsystem.rawValue)
        json.pair("v", 1)
        json.endObject()
        return json.bytes
    }
}
