// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Writes the lines of Makerfabs' modules, as their latest firmware prints them.
enum MakerfabsEncoder {
    /// The line.
    ///
    /// A range of 0 is none, so the least that is measured is 1 cm.
    static func encode(_ measurement: EncodedMeasurement) -> [UInt8] {
        let sequence = UInt8(truncatingIfNeeded: measurement.sequence)
        let centimetres = measurement.distance(partsPerMetre: 100, 1...999_999) ?? 0
        let ranges = "\(centimetres),0,0,0,0,0,0,0"
        let anchors = "\(measurement.peer),-1,-1,-1,-1,-1,-1,-1"
        return Array("AT+RANGE=tid:0,mask:01,seq:\(sequence),range:(\(ranges)),ancid:(\(anchors))\r\n".utf8)
    }
}
