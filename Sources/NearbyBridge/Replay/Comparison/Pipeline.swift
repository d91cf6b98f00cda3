// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// A way from measured distances to the transitions of zones.
protocol Pipeline: Sendable {
    /// In a word or two.
    var name: String { get }
    /// Where it comes from, in a line.
    var source: String { get }

    /// The transitions of each zone, in the order of time.
    func transitions(of walk: Walk, zones: [EngineOptions.NamedZone]) -> [[Accuracy.Transition]]
}
