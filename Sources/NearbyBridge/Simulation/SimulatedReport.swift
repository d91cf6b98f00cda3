// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One measurement of a simulated accessory.
struct SimulatedReport: Equatable, Sendable {
    /// Metres, `nil` if the round failed.
    var distance: Double?
    /// The number of the measurement.
    var sequence: Int64
    /// When it was measured by the accessory's clock, in seconds of the simulation.
    var time: Double
    /// The run, if the accessory was told of one.
    var run: Int64?
}
