// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The payloads of `bridge/…` (CONTRACT section 2.2).
enum BridgePayloads {
    /// `bridge/state`: `online`, `stopped`, or as the will `offline`.
    static func state(_ word: String) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.pair("state", word)
        json.endObject()
        return json.bytes
    }

    /// `bridge/info`.
    static func info(_ options: BridgeOptions, startedAt: Int64) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("configuration")
        json.beginObject()
        let published = shown(options.published)
        for (key, value) in published.sorted(by: { $0.key < $1.key }) { json.pair(key, value) }
        json.endObject()
        let leftOut = options.published.count - published.count
        if leftOut > 0 { json.pair("configuration_left_out", Int64(leftOut)) }
        json.pair("instance", options.instance)
        if !options.restartKeys.isEmpty {
            json.key("restart_required")
            json.beginArray()
            for key in options.restartKeys { json.string(key) }
            json.endArray()
        }
        json.key("schema")
        json.raw(ConfigurationSchema.json)
        json.key("started_at")
        json.time(unixNanoseconds: startedAt)
        json.pair("v", 1)
        json.pair("version", Version.text)
        json.endObject()
        return json.bytes
    }

    /// Longer configurations are published without what they say of single accessories: brokers and consumers have
    /// bounds, and `bridge/accessories` tells it too.
    static let mostConfigurationBytes = 128 << 10

    private static func shown(_ published: [(key: String, value: String)]) -> [(key: String, value: String)] {
        let bytes = published.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 6 }
        return bytes <= mostConfigurationBytes ? published : published.filter { !$0.key.hasPrefix("accessories.") }
    }

    /// What a request changed: keys with the values that are in effect now, `null` for those that are gone.
    static func changes(_ changes: ConfigurationChanges) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("changed")
        json.beginObject()
        for change in changes.live {
            json.key(change.key)
            if let new = change.new { json.string(new) } else { json.null() }
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }

    /// Who may range there, and who waits for that; nothing if nobody does either.
    private static func writeGrants(_ grants: [String: Int64]?, _ waiting: [String?], into json: inout JSONWriter) {
        guard grants != nil || !waiting.isEmpty else { return }
        json.key("authorization")
        json.beginObject()
        json.key("granted")
        json.beginArray()
        for (peer, expiry) in (grants ?? [:]).sorted(by: { $0.key < $1.key }) {
            json.beginObject()
            if !peer.isEmpty { json.pair("peer", peer) }
            if expiry < .max {
                json.key("until")
                json.time(unixNanoseconds: expiry.multipliedReportingOverflow(by: 1_000_000).0)
            }
            json.endObject()
        }
        json.endArray()
        json.key("waiting")
        json.beginArray()
        for peer in waiting {
            if let peer { json.string(peer) } else { json.null() }
        }
        json.endArray()
        json.endObject()
    }

    /// `bridge/accessories`, with what is configured of each.
    static func accessories(
        _ engine: borrowing BridgeEngine,
        _ settings: [String: [(key: String, value: String)]],
        _ wall: WallTime
    ) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("accessories")
        json.beginArray()
        for index in 0..<engine.accessoryCount {
            let stream = StreamID(accessory: AccessoryIndex(index))
            guard let names = engine.names(of: stream) else { continue }
            json.beginObject()
            json.pair("approved", true)
            writeGrants(
                engine.membership.grants[names.accessory],
                engine.waitingForPermission(stream.accessory),
                into: &json
            )
            json.pair("id", names.accessory)
            json.optional("name", engine.displayName(of: stream.accessory))
            if let options = settings[names.accessory] {
                json.key("options")
                json.beginObject()
                for (key, value) in options.sorted(by: { $0.key < $1.key }) { json.pair(key, value) }
                json.endObject()
            }
            json.endObject()
        }
        json.endArray()
        json.key("blocked")
        json.beginArray()
        for name in engine.membership.blocked.sorted() { json.string(name) }
        json.endArray()
        json.key("candidates")
        json.beginArray()
        for candidate in engine.candidates {
            json.beginObject()
            json.pair("approved", false)
            json.pair("id", candidate.identifier)
            json.key("since")
            json.time(unixNanoseconds: wall.unixNanoseconds(of: candidate.since))
            json.endObject()
        }
        json.endArray()
        json.key("permit_join_until")
        if let until = engine.permitJoinUntil {
            json.time(unixNanoseconds: wall.unixNanoseconds(of: until))
        } else {
            json.null()
        }
        json.pair("v", 1)
        json.endObject()
        return json.bytes
    }
}
