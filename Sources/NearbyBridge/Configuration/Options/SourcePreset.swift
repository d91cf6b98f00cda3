// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// A ready-made mapping of a product that many have.
///
/// Topics and rates: `reference/uwb-reports.md`, sections 3.2, 4, 5.1, 6.2 and 7.
enum SourcePreset: String, CaseIterable, Sendable {
    case drtls
    case espresense
    case pozyx
    case omlox
    case makerfabs

    /// The words of the configuration.
    static let words = allCases.map(\.rawValue)

    /// The first levels of its topics, which sites may change.
    var prefix: String {
        switch self {
        case .drtls: "dwm"
        case .espresense: "espresense"
        case .pozyx: "tags"
        case .omlox: "/omlox/json"
        case .makerfabs: "makerfabs"
        }
    }

    /// Its topics below a prefix.
    func topics(below prefix: String) -> [String] {
        switch self {
        case .drtls:
            ["location", "status"].map { "\(prefix)/node/{peer}/uplink/\($0)" }
                + ["\(prefix)/node/{anchor}/uplink/config"]
        case .espresense: ["\(prefix)/devices/{peer}/{accessory}"]
        case .pozyx: [prefix]
        case .omlox:
            ["\(prefix)/location_updates/pub/{peer}", "\(prefix)/proximity_updates/{accessory}/{peer}"]
        case .makerfabs: ["\(prefix)/+"]
        }
    }

    /// What its reports are.
    var options: SourceOptions {
        var options = SourceOptions()
        options.format = RangeFormat(rawValue: rawValue) ?? .auto
        switch self {
        // A tag that lies still reports once a minute; who is away is told on `uplink/status`.
        case .drtls: options.lostAfter = .after(.seconds(70))
        // A node reports every five seconds, and one report may be lost.
        case .espresense: options.lostAfter = .after(.seconds(30))
        case .pozyx, .omlox, .makerfabs: break
        }
        return options
    }
}
