// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Writes the JSON lines of Qorvo's firmware.
enum QorvoEncoder {
    /// The line; a block index of 32 bits, as the firmware counts.
    static func encode(_ measurement: EncodedMeasurement) -> [UInt8] {
        let block = UInt32(truncatingIfNeeded: measurement.sequence)
        let address = Hexadecimal.text(measurement.peer, digits: 4)
        let result =
            measurement.distance(partsPerMetre: 100, -65_534...65_534)
            .map { "\"Status\":\"Ok\",\"D_cm\":\($0)" } ?? "\"Status\":\"Err\""
        return Array("{\"Block\":\(block), \"results\":[{\"Addr\":\"0x\(address)\",\(result)}]}\r\n".utf8)
    }
}
