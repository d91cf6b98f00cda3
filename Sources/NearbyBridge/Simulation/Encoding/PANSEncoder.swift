// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Writes what the shell of PANS firmware prints for `lec`.
enum PANSEncoder {
    /// The line.
    ///
    /// The shell prints 0 for an anchor without a distance, so the least that is measured is 1 cm.
    static func encode(_ measurement: EncodedMeasurement) -> [UInt8] {
        let address = Hexadecimal.text(measurement.peer, digits: 4).uppercased()
        let centimetres = measurement.distance(partsPerMetre: 100, 1...999_999) ?? 0
        let metres = Column.decimal(Double(centimetres) / 100, 2)
        return Array("DIST,1,AN0,\(address),0.00,0.00,0.00,\(metres)\r\n".utf8)
    }
}
