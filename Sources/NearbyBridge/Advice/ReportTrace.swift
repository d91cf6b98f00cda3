// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Everything that was reported of one accessory and one peer.
struct ReportTrace: Equatable, Sendable {
    /// One distance.
    struct Sample: Equatable, Sendable {
        /// Seconds.
        var time: Double
        /// Corrected metres, before smoothing.
        var distance: Double
        /// The speed gate held it back.
        var isGated: Bool
        /// Neither coming nor going, as far as the engine could tell by then.
        var isStill: Bool
    }

    /// The accessory's identifier.
    var accessory: String
    /// The peer as reports or the configuration call it; `nil` if nothing tells peers apart.
    var peer: String?
    /// In the order of time: one part for each time without a gap in listening, none of them empty.
    var parts: [[Sample]]
    /// Rounds without a measurement.
    var failed: Int

    /// How many distances there are.
    var count: Int { parts.reduce(0) { $0 + $1.count } }
    /// Seconds that were listened to.
    var duration: Double {
        parts.reduce(0) { sum, part in sum + (part.last?.time ?? 0) - (part.first?.time ?? 0) }
    }

    /// Creates a trace.
    init(accessory: String, peer: String?, parts: [[Sample]] = [], failed: Int = 0) {
        self.accessory = accessory
        self.peer = peer
        self.parts = parts
        self.failed = failed
    }

    /// Sorts observations by accessory and peer; those with the most distances come first.
    ///
    /// Failed rounds of nobody in particular count for the only peer, if there is but one.
    static func all(in parts: [[ReportObservation]]) -> [ReportTrace] {
        var traces: [[String?]: ReportTrace] = [:]
        var failures: [String: Int] = [:]
        for part in parts {
            var samples: [[String?]: [Sample]] = [:]
            for observation in part {
                let key = [observation.accessory, observation.peer]
                if observation.outcome == .withoutMeasurement {
                    if observation.peer == nil {
                        failures[observation.accessory, default: 0] += 1
                    } else {
                        traces[key, default: ReportTrace(observation)].failed += 1
                    }
                } else if let sample = Sample(observation) {
                    samples[key, default: []].append(sample)
                    if traces[key] == nil { traces[key] = ReportTrace(observation) }
                }
            }
            for (key, samples) in samples { traces[key]?.parts.append(samples) }
        }
        var sorted = traces.values.filter { $0.count > 0 }.sorted { one, other in
            (other.count, one.accessory, one.peer ?? "") < (one.count, other.accessory, other.peer ?? "")
        }
        for place in sorted.indices {
            let accessory = sorted[place].accessory
            guard sorted.count(where: { $0.accessory == accessory }) == 1 else { continue }
            sorted[place].failed += failures[accessory] ?? 0
        }
        return sorted
    }

    private init(_ observation: ReportObservation) {
        self.init(accessory: observation.accessory, peer: observation.peer)
    }
}

extension ReportTrace.Sample {
    /// `nil` of what is no distance, or no new one.
    fileprivate init?(_ observation: ReportObservation) {
        guard let distance = observation.distance else { return nil }
        switch observation.outcome {
        case .withoutMeasurement, .duplicate, .late: return nil
        case .gated, .taken: break
        }
        time = Replay.seconds(observation.at)
        self.distance = distance
        isGated = observation.outcome == .gated
        // A source that speaks on change only says nothing of motion: it counts as still.
        isStill = (observation.motion ?? .still) == .still
    }
}
