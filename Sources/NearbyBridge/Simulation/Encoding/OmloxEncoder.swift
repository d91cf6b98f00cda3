// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Writes proximity objects of omlox hubs.
enum OmloxEncoder {
    /// The object; an accuracy below zero says that it is not known.
    static func encode(_ measurement: EncodedMeasurement) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.pair("accuracy", measurement.distance.map { max(0, $0) } ?? -1)
        json.pair("provider_id", measurement.peerName)
        json.pair("provider_type", "uwb")
        json.pair("source", "simulated")
        json.key("timestamp_generated")
        json.time(
            unixNanoseconds: Int64(EncodedMeasurement.whole(measurement.unixTime * 1000, 0...4_000_000_000_000))
                * 1_000_000
        )
        json.endObject()
        return json.bytes
    }
}
