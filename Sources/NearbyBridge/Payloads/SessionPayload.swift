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
        let session = engine.session(of: stream)
        var announced = engine.announcement(of: stream.accessory)
        // What people and features are called by stands in the accessory's own topic.
        if stream.peer != nil { (announced.name, announced.capabilities) = (nil, nil) }
        write(
            session,
            announced,
            peer: engine.sessionPeer(of: stream),
            isBinary: engine.speaksBinary(stream.accessory),
            maximumAttempts: session.maximumAttempts(engine.options.session.retry),
            missingTokens: engine.missingTokens(of: stream),
            wall,
            into: &json
        )
    }

    /// Writes a session; `maximumAttempts` is the length of the retry ladder.
    ///
    /// `missingTokens` names the phones of a pair whose discovery tokens are awaited.
    ///
    /// `announced` tells what the accessory says of itself, `encoding` how it writes, and `peer` whose session it is if
    /// that has a name: for the next life of the bridge.
    static func write(
        _ session: AccessorySession,
        _ announced: AccessoryAnnouncement = AccessoryAnnouncement(),
        peer: String?,
        isBinary: Bool,
        maximumAttempts: Int,
        missingTokens: [String] = [],
        _ wall: WallTime,
        into json: inout JSONWriter
    ) {
        json.beginObject()
        let isOurs = session.state != .external
        write(announced, into: &json)
        if isOurs { json.pair("attempt", Int64(session.attempt)) }
        if session.isBackground { json.pair("background", true) }
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
        json.optional("hint", hint(session, missingTokens))
        json.optional("identifier", session.identifiers?.current)
        if isOurs, session.interval > .zero {
            json.pair("interval_ms", Int64(session.interval / .milliseconds(1)))
        }
        json.pair("kind", kind(of: session, announced))
        if isOurs { json.pair("max_attempts", Int64(maximumAttempts)) }
        if !missingTokens.isEmpty {
            json.key("missing_tokens")
            json.beginArray()
            for name in missingTokens { json.string(name) }
            json.endArray()
        }
        if let network = announced.networkIdentifier { json.pair("network_identifier", Int64(network)) }
        json.optional("peer", peer)
        json.optional("previous_identifier", session.identifiers?.previous)
        json.optional("reason", session.reason?.word)
        if session.run > 0 { json.pair("run", session.run) }
        json.pair("state", session.state.word)
        if isOurs, session.interval > .zero { json.pair("update_rate", 1 / session.interval.inSeconds, decimals: 2) }
        json.pair("v", 1)
        json.endObject()
    }

    /// What a person can do: first of all, make a phone send what is awaited.
    private static func hint(_ session: AccessorySession, _ missingTokens: [String]) -> String? {
        guard session.reason == nil || session.reason == .tokensNeeded, !missingTokens.isEmpty else {
            return session.reason?.hint
        }
        return "waits for the discovery token of \(missingTokens.joined(separator: " and ")), on …/peer/<peer>/token"
    }

    private static func kind(of session: AccessorySession, _ announced: AccessoryAnnouncement) -> String {
        let isOurs = session.state != .external
        let isExchanged = isOurs && session.configuration != nil
        if announced.technology == .downlinkTDoA, !isExchanged { return Technology.downlinkTDoA.rawValue }
        return session.toldKind.rawValue
    }

    private static func write(_ announced: AccessoryAnnouncement, into json: inout JSONWriter) {
        guard announced.name != nil || announced.technology != nil || announced.capabilities != nil else { return }
        json.key("announced")
        json.beginObject()
        if let capabilities = announced.capabilities { json.pair("capabilities", capabilities.words) }
        json.optional("name", announced.name)
        json.optional("technology", announced.technology?.rawValue)
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
