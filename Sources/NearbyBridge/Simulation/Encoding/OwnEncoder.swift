// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Writes the bridge's own JSON.
enum OwnEncoder {
    /// The object; its only peer has no name.
    static func encode(_ measurement: EncodedMeasurement) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.pair("distance", measurement.distance ?? .nan)
        if let run = measurement.run { json.pair("run", run) }
        json.pair("seq", measurement.sequence)
        json.pair("timestamp", measurement.unixTime)
        json.endObject()
        return json.bytes
    }
}
