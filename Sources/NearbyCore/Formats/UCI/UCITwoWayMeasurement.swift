// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One measurement of two-way ranging as UCI has it (reference/uwb-reports.md section 1.3).
public struct UCITwoWayMeasurement: Equatable, Sendable {
    /// Its octets, those that are reserved at its end among them.
    public static let length = 31
    /// Status of a round that went well.
    public static let ok: UInt8 = 0x00
    /// Status of a round that went well, and whose distance is below zero.
    public static let okNegative: UInt8 = 0x1B
    /// Status of a round that nobody answered.
    public static let receiveTimeout: UInt8 = 0x21

    /// The other end.
    public var address: RadioAddress
    /// What became of the round.
    public var status: UInt8
    /// 0 line of sight, 1 none, anything else undetermined.
    public var sight: UInt8
    /// The distance without its sign, 65535 where there is none.
    public var centimetres: UInt16
    /// To the side, measured here.
    public var azimuth: UCIAngle
    /// Up and down, measured here.
    public var elevation: UCIAngle
    /// To the side, measured at the other end.
    public var destinationAzimuth: UCIAngle
    /// Up and down, measured at the other end.
    public var destinationElevation: UCIAngle
    /// The slot in which a round failed.
    public var slot: UInt8
    /// Twice the strength of the received signal below 0 dBm, 0 if not told.
    public var signal: UInt8

    /// Whether the round went well.
    public var isMeasured: Bool { status == Self.ok || status == Self.okNegative }

    /// Metres, `nil` where there was no measurement.
    public var distance: Double? {
        guard isMeasured, centimetres != .max else { return nil }
        return Double(centimetres) / (status == Self.okNegative ? -100 : 100)
    }

    /// Whether the path is obstructed, `nil` if undetermined.
    public var isNonLineOfSight: Bool? {
        switch sight {
        case 0: false
        case 1: true
        default: nil
        }
    }

    /// dBm, `nil` if not told.
    public var rssi: Float? { signal == 0 ? nil : -Float(signal) / 2 }

    /// Reads the measurement up to its reserved octets, `nil` if the message ends before.
    public init?(_ reader: inout UCIReader, _ payload: Span<UInt8>, isExtended: Bool) {
        let address =
            isExtended
            ? reader.integer(UInt64.self, payload).map { RadioAddress(extended: $0) }
            : reader.integer(UInt16.self, payload).map { RadioAddress(UInt64($0)) }
        guard let address, let status = reader.next(payload), let sight = reader.next(payload),
            let centimetres = reader.integer(UInt16.self, payload), let azimuth = UCIAngle(&reader, payload),
            let elevation = UCIAngle(&reader, payload), let destinationAzimuth = UCIAngle(&reader, payload),
            let destinationElevation = UCIAngle(&reader, payload), let slot = reader.next(payload),
            let signal = reader.next(payload)
        else { return nil }
        self.address = address
        self.status = status
        self.sight = sight
        self.centimetres = centimetres
        self.azimuth = azimuth
        self.elevation = elevation
        self.destinationAzimuth = destinationAzimuth
        self.destinationElevation = destinationElevation
        self.slot = slot
        self.signal = signal
    }

    /// The octets behind the strength of the signal.
    public static func reserved(isExtended: Bool) -> Int { isExtended ? 5 : 11 }
}
