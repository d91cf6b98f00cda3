// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The payload of `…/session` (CONTRACT section 4.3).
///
/// Never the shareable configuration data, never its STS IV.
enum SessionPayload {
    /// Writes the session that a stream tells of.
    static func write(
        of stream: StreamID,
        _ engine: borrowing BridgeEngine,
        _ wall: WallTime,
        into json: inout JSONWriter
    ) {
        write(
            engine.session(of: stream),
            peer: engine.sessionPeer(of: stream),
            isBinary: engine.speaksBinary(stream.accessory),
            maximumAttempts: engine.options.session.retry.maximumAttempts,
            wall,
            into: &json
        )
    }

    /// Writes a session; `maximumAttempts` is the length of the retry ladder.
    ///
    /// `encoding` tells how the accessory writes, and `peer` whose session it is if that has a name: for the next life
    /// of the bridge.
    static func write(
        _ session: AccessorySession,
        peer: String?,
        isBinary: Bool,
        maximumAttempts: Int,
        _ wall: WallTime,
        into json: inout JSONWriter
    ) {
        json.beginObject()
        let isOurs = session.state != .external
        if isOurs { json.pair("attempt", Int64(session.attempt)) }
        if let configuration = session.configuration {
            json.pair("configuration", Hexadecimal.text(configuration.encoded.span))
        }
        if isOurs {
            json.key("deadline")
            if let deadline = session.deadline {
                json.time(unixNanoseconds: wall.unixNanoseconds(of: deadline))
            } else {
                json.null()
            }
        }
        if session.configuration != nil { json.pair("encoding", isBinary ? "binary" : "json") }
        if isOurs, let grants = session.grants { write(grants, into: &json) }
        json.optional("hint", session.reason?.hint)
        if isOurs, session.interval > .zero {
            json.pair("interval_ms", Int64(session.interval / .milliseconds(1)))
        }
        json.pair("kind", isOurs ? "uwb" : "external")
        if isOurs { json.pair("max_attempts", Int64(maximumAttempts)) }
        json.optional("peer", peer)
        json.optional("reason", session.reason?.word)
        if session.run > 0 { json.pair("run", session.run) }
        json.pair("state", session.state.word)
        if isOurs, session.interval > .zero { json.pair("update_rate", 1 / session.interval.inSeconds, decimals: 2) }
        json.pair("v", 1)
        json.endObject()
    }

    /// Writes what became of the requests of an accessory of version 2.0.
    private static func write(_ grants: RangingGrants, into json: inout JSONWriter) {
        json.key("grants")
        json.beginObject()
        for field in RangingGrants.Field.allCases {
            json.key(field.rawValue)
            json.beginObject()
            json.pair("granted", Int64(grants[field].granted))
            json.optional("reason", grants[field].reason?.text)
            json.pair("requested", Int64(grants[field].requested))
            json.endObject()
        }
        json.endObject()
    }
}
