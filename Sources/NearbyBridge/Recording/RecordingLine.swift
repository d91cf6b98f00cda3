// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Writes the lines of a recording: one JSON object each.
///
/// The first says what the file is; the others are messages (with `topic`) or marks (with `type`).
struct RecordingLine {
    /// What happened to the recorder itself.
    enum Mark: String {
        /// It listens from here on.
        case subscribed
        /// It is deaf from here on.
        case disconnected
        /// It stopped in order.
        case ended
    }

    /// A message as it came in.
    struct Message {
        var topic: String
        var payload: [UInt8]
        var qualityOfService: Int32
        var isRetained: Bool
    }

    private var json = JSONWriter()

    /// The first line.
    mutating func header(base: String, unixNanoseconds: Int64) -> [UInt8] {
        line { json in
            json.pair("base_topic", base)
            json.key("time")
            json.time(unixNanoseconds: unixNanoseconds)
            json.pair("type", "recording")
            json.pair("v", 1)
            json.pair("version", Version.text)
        }
    }

    /// A mark at so many seconds from the start.
    mutating func mark(_ mark: Mark, at seconds: Double, unixNanoseconds: Int64) -> [UInt8] {
        line { json in
            json.pair("t", seconds, decimals: 6)
            json.key("time")
            json.time(unixNanoseconds: unixNanoseconds)
            json.pair("type", mark.rawValue)
        }
    }

    /// A message; what may hold key material only with its length, unless secrets are wanted.
    mutating func message(
        _ message: Message,
        at seconds: Double,
        unixNanoseconds: Int64,
        withSecrets: Bool
    ) -> [UInt8] {
        line { json in
            let isWithheld = !withSecrets && Self.maybeSecret(message.topic, message.payload)
            if !isWithheld {
                if let text = Self.text(message.payload) {
                    json.pair("payload", text)
                } else {
                    json.pair("payload_hex", Hexadecimal.text(message.payload.span))
                }
            }
            json.pair("qos", Int64(message.qualityOfService))
            json.pair("retained", message.isRetained)
            json.pair("t", seconds, decimals: 6)
            json.key("time")
            json.time(unixNanoseconds: unixNanoseconds)
            json.pair("topic", message.topic)
            if isWithheld { json.pair("withheld", Int64(message.payload.count)) }
        }
    }

    private mutating func line(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        json.removeAll()
        json.beginObject()
        body(&json)
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// The payload as text, `nil` if it is none: what is not proper UTF-8 would not come back as it was.
    private static func text(_ payload: [UInt8]) -> String? {
        String(validating: payload, as: UTF8.self)
    }

    /// Whether a message may hold shareable configuration data or a discovery token: any but those that surely hold none.
    static func maybeSecret(_ topic: String, _ payload: [UInt8]) -> Bool {
        if ["/shareable", "/token", "/peer_token"].contains(where: { topic.hasSuffix($0) }) { return true }
        if topic.hasSuffix("/command") {
            switch FirmwareCommand(payload) {
            // As JSON there may be anything besides what was understood.
            case .initialize, .stop: return payload.count > 1 && Self.hasData(payload)
            case .configureAndStart, nil: return !payload.isEmpty
            }
        }
        guard topic.hasSuffix("/message") else { return false }
        // A frame of the other direction has no place here, but might come.
        let configureAndStart: UInt8 = 0x0B
        let decoded = try? Hexadecimal.decode(payload.span)
        return payload.first == configureAndStart || decoded?.first == configureAndStart
    }

    private static func hasData(_ payload: [UInt8]) -> Bool {
        String(decoding: payload, as: UTF8.self).contains("data")
    }
}
