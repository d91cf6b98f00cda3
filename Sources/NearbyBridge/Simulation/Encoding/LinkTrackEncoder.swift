// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Writes NodeFrame3 of Nooploop's LinkTrack.
enum LinkTrackEncoder {
    private static let tag: UInt8 = 2
    private static let anchor: UInt8 = 1
    /// -63 and -57.5 dBm: the first path, and all of them.
    private static let signals: [UInt8] = [126, 115]

    /// The frame; a round that failed has no node in it.
    static func encode(_ measurement: EncodedMeasurement) -> [UInt8] {
        let time = ReportEncoding.bytes(measurement.milliseconds)
        var body: [UInt8] = [tag, 0] + time + time + [0, 0, 0, 0]
        body += ReportEncoding.bytes(4954 as UInt16)
        if let millimetres = measurement.distance(partsPerMetre: 1000, -8_388_608...8_388_607) {
            let distance = ReportEncoding.bytes(UInt32(truncatingIfNeeded: millimetres), count: 3)
            body += [1, anchor, UInt8(truncatingIfNeeded: measurement.peer)] + distance + signals
        } else {
            body += [0]
        }
        let frame = [0x55, 0x05] + ReportEncoding.bytes(UInt16(clamping: body.count + 5)) + body
        return frame + [frame.reduce(0) { $0 &+ $1 }]
    }
}
