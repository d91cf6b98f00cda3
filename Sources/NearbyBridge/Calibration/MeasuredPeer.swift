// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The measurements of one peer among everything that was reported.
struct MeasuredPeer: Equatable, Sendable {
    /// What stands for a peer that nothing names.
    static let unnamed = "the unnamed peer"

    /// Who reported a measurement, sorted; more than one only if none was named.
    var peers: [String]
    /// Whose measurements these are, as reports or `peers:` call it.
    var peer: String
    /// In the order of time.
    var measurements: [CalibrationPoint.Measurement]
    /// Its failed rounds, and those of nobody in particular.
    var failed: Int

    /// Picks the named peer, or else the one that was measured most; `nil` if nothing was measured.
    init?(_ observations: [ReportObservation], peer named: String?) {
        var counts: [String: Int] = [:]
        for observation in observations where observation.measured != nil {
            counts[observation.peer ?? Self.unnamed, default: 0] += 1
        }
        if let named { counts = counts.filter { $0.key.uppercased() == named.uppercased() } }
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
        peers = counts.keys.sorted()
        peer = most.key
        measurements = []
        failed = 0
        for observation in observations {
            switch observation.outcome {
            // A second delivery is no second measurement.
            case .duplicate, .late: continue
            case .withoutMeasurement:
                if observation.peer == nil || observation.peer == most.key { failed += 1 }
            case .gated, .taken:
                guard let distance = observation.measured, observation.peer ?? Self.unnamed == most.key else {
                    continue
                }
                measurements.append(.init(time: Replay.seconds(observation.at), distance: distance))
            }
        }
        guard !measurements.isEmpty else { return nil }
    }
}
