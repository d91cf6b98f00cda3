// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Writes what sketches with thotro's DW1000 library print.
enum DW1000Encoder {
    /// The line.
    static func encode(_ measurement: EncodedMeasurement) -> [UInt8] {
        let address = Hexadecimal.text(measurement.peer, digits: 1).uppercased()
        let centimetres = measurement.distance(partsPerMetre: 100, -999_999...999_999)
        let metres = centimetres.map { Column.decimal(Double($0) / 100, 2) } ?? "nan"
        return Array("from: \(address)\t Range: \(metres) m\t RX power: -60.50 dBm\r\n".utf8)
    }
}
