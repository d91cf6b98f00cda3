// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Writes session-info notifications of FiRa UCI (reference/uwb-reports.md section 1).
enum UCIEncoder {
    /// -60.5 dBm.
    private static let signal: UInt8 = 121

    /// The packet.
    static func encode(_ measurement: EncodedMeasurement) -> [UInt8] {
        let sequence = UInt32(truncatingIfNeeded: measurement.sequence)
        var payload = ReportEncoding.bytes(sequence) + ReportEncoding.bytes(1 as UInt32) + [0]
        payload += ReportEncoding.bytes(measurement.interval)
        payload += [UCIRangeHeader.MeasurementType.twoWay.rawValue, 0, 0] + zeros(8) + [1]
        payload += ReportEncoding.bytes(measurement.peer) + round(measurement)
        payload += zeros(UCITwoWayMeasurement.reserved(isExtended: false))
        return [0x62, 0, 0, UInt8(clamping: payload.count)] + payload
    }

    /// The packet as text.
    static func hexadecimal(_ measurement: EncodedMeasurement) -> [UInt8] {
        Array(Hexadecimal.text(encode(measurement).span).utf8)
    }

    /// From the status to the strength of the signal; the antenna is a single one, so there are no angles.
    private static func round(_ measurement: EncodedMeasurement) -> [UInt8] {
        let sight: UInt8 = 0xFF
        guard let centimetres = measurement.distance(partsPerMetre: 100, -65_534...65_534) else {
            return [UCITwoWayMeasurement.receiveTimeout, sight, 0xFF, 0xFF] + zeros(12) + [2, 0]
        }
        let status = centimetres < 0 ? UCITwoWayMeasurement.okNegative : UCITwoWayMeasurement.ok
        return [status, sight] + ReportEncoding.bytes(UInt16(clamping: centimetres.magnitude)) + zeros(12) + [
            0, signal,
        ]
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
