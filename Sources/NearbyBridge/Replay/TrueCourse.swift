// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The true distances of a walk over its time, without what was measured.
struct TrueCourse: Equatable, Sendable {
    /// Seconds of the recording's own time, in order.
    private(set) var times: [Double] = []
    /// Metres, one for each time.
    private(set) var distances: [Double] = []

    /// Takes the samples that know the truth.
    init(_ walk: Walk) {
        for sample in walk.samples {
            guard let truth = sample.truth else { continue }
            times.append(sample.time)
            distances.append(truth)
        }
    }
}
