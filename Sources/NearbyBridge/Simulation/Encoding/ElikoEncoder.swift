// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Writes the range lists of Eliko's server.
enum ElikoEncoder {
    /// The line.
    ///
    /// A distance of 0 is none, so the least that is measured is 1 cm.
    static func encode(_ measurement: EncodedMeasurement) -> [UInt8] {
        let counter = UInt8(truncatingIfNeeded: measurement.sequence)
        let anchor = Hexadecimal.text(measurement.peer, digits: 6).uppercased()
        let centimetres = measurement.distance(partsPerMetre: 100, 1...999_999) ?? 0
        let list = "0x\(anchor),\(centimetres),\(measurement.milliseconds),0x00,0x00,0x00"
        return Array("$PEKIO,RR_L,\(counter),0x0000FF,\(list)\r\n".utf8)
    }
}
