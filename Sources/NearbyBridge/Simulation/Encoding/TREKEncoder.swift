// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Writes the lines of TREK1000 and its clones.
enum TREKEncoder {
    private static let none = "ffffffff"

    /// The line; its four slots have room for the peers 0 to 3.
    static func encode(_ measurement: EncodedMeasurement) -> [UInt8] {
        let slot = Int(measurement.peer & 3)
        let mask = Hexadecimal.text(UInt8(1) << UInt8(slot), digits: 2)
        let millimetres = measurement.distance(partsPerMetre: 1000, -9_999_999...9_999_999)
        let range = millimetres.map { Hexadecimal.text(UInt32(truncatingIfNeeded: $0), digits: 8) } ?? none
        let ranges = (0..<4).map { $0 == slot ? range : none }.joined(separator: " ")
        // Seven digits at most: eight would be another range.
        let count = Hexadecimal.text(UInt32(truncatingIfNeeded: measurement.sequence) & 0x0FFF_FFFF, digits: 4)
        let round = Hexadecimal.text(UInt8(truncatingIfNeeded: measurement.sequence), digits: 2)
        let time = Hexadecimal.text(measurement.milliseconds, digits: 8)
        return Array("mc \(mask) \(ranges) \(count) \(round) \(time) a0:0\r\n".utf8)
    }
}
