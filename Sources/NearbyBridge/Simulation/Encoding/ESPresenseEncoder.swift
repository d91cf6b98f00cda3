// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Writes what ESPresense publishes of a device.
enum ESPresenseEncoder {
    /// The object; a device that is heard but not placed has no distance.
    static func encode(_ measurement: EncodedMeasurement) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.pair("mac", "02005e10" + Hexadecimal.text(measurement.peer, digits: 4))
        json.pair("id", measurement.peerName)
        json.pair("rssi", -60.5)
        json.optional("distance", measurement.distance, decimals: 2)
        json.endObject()
        return json.bytes
    }
}
