// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A measurement that is to be written in some vendor's format.
struct EncodedMeasurement: Equatable, Sendable {
    /// Metres, `nil` if the round failed.
    var distance: Double?
    /// The other end; formats with less room for it take the lowest bits.
    var peer: UInt16 = 1
    /// The number of the measurement.
    var sequence: Int64 = 0
    /// Seconds since the device started.
    var time = 0.0
    /// Seconds since 1970.
    var unixTime = 0.0
    /// Milliseconds between two measurements, 0 if they come when they come.
    var interval: UInt32 = 0
    /// The run, if the accessory was told of one.
    var run: Int64?

    /// What a simulated accessory measured.
    init(_ report: SimulatedReport, clockAtZero: Double, interval: UInt32) {
        self.init(distance: report.distance)
        sequence = report.sequence
        time = report.time
        unixTime = clockAtZero + report.time
        self.interval = interval
        run = report.run
    }

    /// A measurement by a device that has just started.
    init(distance: Double?) {
        self.distance = distance
    }

    /// The distance in whole parts of a metre, as near as the limits allow.
    func distance(partsPerMetre parts: Double, _ limits: ClosedRange<Int>) -> Int? {
        distance.map { Self.whole($0 * parts, limits) }
    }

    /// The device's clock in milliseconds, of 32 bits.
    var milliseconds: UInt32 { UInt32(Self.whole(time * 1000, 0...Int(UInt32.max))) }

    /// What formats with names call the peer.
    var peerName: String { "phone-\(peer)" }

    /// A number rounded and kept within limits; what is no number is the lower one.
    static func whole(_ value: Double, _ limits: ClosedRange<Int>) -> Int {
        let least = Double(limits.lowerBound)
        let greatest = Double(limits.upperBound)
        guard value > least else { return limits.lowerBound }
        guard value < greatest else { return limits.upperBound }
        return Int(value.rounded())
    }
}
