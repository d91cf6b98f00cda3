// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The formats in which `simulate` writes what it measures.
enum ReportEncoding: String, CaseIterable, Sendable {
    /// The bridge's own JSON.
    case json
    /// FiRa UCI, in bytes.
    case uci
    /// The same as hexadecimal text.
    case uciHexadecimal = "uci-hex"
    case qorvo
    case pans
    case makerfabs
    case dw1000
    case trek
    case linktrack
    case espresense
    case eliko
    case omlox

    /// The payload of one measurement.
    func encode(_ measurement: EncodedMeasurement) -> [UInt8] {
        switch self {
        case .json: OwnEncoder.encode(measurement)
        case .uci: UCIEncoder.encode(measurement)
        case .uciHexadecimal: UCIEncoder.hexadecimal(measurement)
        case .qorvo: QorvoEncoder.encode(measurement)
        case .pans: PANSEncoder.encode(measurement)
        case .makerfabs: MakerfabsEncoder.encode(measurement)
        case .dw1000: DW1000Encoder.encode(measurement)
        case .trek: TREKEncoder.encode(measurement)
        case .linktrack: LinkTrackEncoder.encode(measurement)
        case .espresense: ESPresenseEncoder.encode(measurement)
        case .eliko: ElikoEncoder.encode(measurement)
        case .omlox: OmloxEncoder.encode(measurement)
        }
    }

    /// The bytes of an integer, the lowest first.
    static func bytes<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value, count: Int? = nil) -> [UInt8] {
        (0..<(count ?? Value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> Value(8 * $0)) }
    }
}
