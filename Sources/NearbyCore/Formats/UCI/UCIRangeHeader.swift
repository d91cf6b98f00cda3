// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What a session-info notification says once for all its measurements (reference/uwb-reports.md section 1.2).
public struct UCIRangeHeader: Equatable, Sendable {
    /// Its octets.
    public static let length = 25

    /// How the measurements were made.
    public enum MeasurementType: UInt8, Sendable {
        /// One way.
        case oneWay
        /// Two ways: the only type with distances.
        case twoWay
        /// Differences of times of arrival from anchors.
        case downlinkTDoA
        /// One way, with the angle of arrival.
        case oneWayAngle
    }

    /// Grows by one with each notification.
    public var sequence: UInt32
    /// The session's id, in FiRa 2.0 a handle that the device has chosen.
    public var session: UInt32
    /// Ranging control report indication.
    public var controlIndication: UInt8
    /// Milliseconds between two rounds, 0 if not told.
    public var interval: UInt32
    /// A `MeasurementType`, or one that is not known.
    public var type: UInt8
    /// 0 means short addresses, 1 extended ones.
    public var addressIndicator: UInt8
    /// How many measurements follow.
    public var count: Int

    /// Whether addresses have eight octets.
    public var isExtended: Bool { addressIndicator == 1 }

    /// Reads the beginning of a notification's payload, `nil` if it ends before.
    public init?(_ reader: inout UCIReader, _ payload: Span<UInt8>) {
        guard let sequence = reader.integer(UInt32.self, payload), let session = reader.integer(UInt32.self, payload),
            let controlIndication = reader.next(payload), let interval = reader.integer(UInt32.self, payload),
            let type = reader.next(payload), reader.skip(1, payload), let addressIndicator = reader.next(payload),
            reader.skip(8, payload), let count = reader.next(payload)
        else { return nil }
        self.sequence = sequence
        self.session = session
        self.controlIndication = controlIndication
        self.interval = interval
        self.type = type
        self.addressIndicator = addressIndicator
        self.count = Int(count)
    }
}
