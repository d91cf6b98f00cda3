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
        for (key, value) in options.published.sorted(by: { $0.key < $1.key }) { json.pair(key, value) }
        json.endObject()
        json.pair("instance", options.instance)
        json.key("started_at")
        json.time(unixNanoseconds: startedAt)
        json.pair("v", 1)
        json.pair("version", Version.text)
        json.endObject()
        return json.bytes
    }

    /// `bridge/accessories`.
    static func accessories(_ engine: borrowing BridgeEngine) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("accessories")
        json.beginArray()
        for index in 0..<engine.accessoryCount {
            let stream = StreamID(accessory: AccessoryIndex(index))
            guard let names = engine.names(of: stream) else { continue }
            json.beginObject()
            json.pair("approved", true)
            json.pair("id", names.accessory)
            json.optional("name", engine.options.accessories[names.accessory]?.name)
            json.endObject()
        }
        json.endArray()
        json.key("candidates")
        json.beginArray()
        json.endArray()
        json.pair("v", 1)
        json.endObject()
        return json.bytes
    }
}
