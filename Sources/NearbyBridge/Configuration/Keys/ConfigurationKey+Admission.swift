// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Who may range, how many at once, and what is exchanged before.
extension ConfigurationKey {
    /// A key that says whether ranging must be allowed.
    static func authorization(_ path: String, default text: String? = nil, _ help: String) -> ConfigurationKey {
        .init(path, .choice(Authorization.allCases.map(\.rawValue)), default: text, help, .live)
    }

    /// Bounds of sessions.
    static let sessionLimits: [ConfigurationKey] = [
        limit("sessions", "10000", "Sessions that run at once."),
        limit("accessory_sessions", "8", "Sessions that run at once at one accessory."),
        limit("peer_sessions", "10000", "Sessions that run at once with one named peer."),
        limit("session_starts", "250", "Sessions that begin within any second."),
    ]

    private static func limit(_ name: String, _ text: String, _ help: String) -> ConfigurationKey {
        .init("limits.\(name)", .integer(1...1_000_000), default: text, help, .live)
    }

    /// What is exchanged with an accessory before it ranges.
    static func exchange(_ prefix: String) -> [ConfigurationKey] {
        [
            .init(
                "\(prefix).technology",
                .choice(Technology.allCases.map(\.rawValue)),
                "How it measures, whatever it says: ble-cs and dl-tdoa need no exchange.",
                .live
            ),
            .init(
                "\(prefix).background",
                .boolean,
                "A phone runs its session by itself, over Bluetooth: it gets no commands.",
                .live
            ),
        ]
    }
}
