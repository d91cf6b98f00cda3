// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What became of a serial device or UDP port, for `bridge/health`.
struct InputCounters: Equatable, Sendable {
    /// What the configuration has: `serial:/dev/ttyACM0`.
    var name: String
    /// Whether it is open now.
    var isOpen = false
    /// Bytes of all messages.
    var bytes = 0
    /// Lines, or datagrams.
    var messages = 0
    /// How often it went away, or was found not to open for some reason.
    var failures = 0

    /// Writes the object; keys sorted.
    func write(into json: inout JSONWriter) {
        json.beginObject()
        json.pair("bytes", Int64(bytes))
        json.pair("failures", Int64(failures))
        json.pair("messages", Int64(messages))
        json.pair("name", name)
        json.pair("open", isOpen)
        json.endObject()
    }
}
