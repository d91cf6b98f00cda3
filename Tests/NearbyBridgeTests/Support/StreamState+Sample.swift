// nearby-bridge · SPDX-License-Identifier: Apache-2.0

@testable import NearbyBridge
@testable import NearbyCore

extension StreamState {
    /// A state that knows nothing.
    static let unknown = StreamState(
        accessory: "lamp",
        zones: [
            Zone(name: "near", state: .unknown, count: 0), Zone(name: "immediate", state: .unknown, count: 0),
        ],
        peers: [],
        measurement: .none,
        session: .external,
        isRestored: false
    )

    /// A state in which every field is known.
    static let full = StreamState(
        accessory: "lamp",
        name: "Lamp \"1\"",
        peer: "alice",
        zones: [
            Zone(
                name: "near",
                state: .inside,
                since: Instant(nanoseconds: 2_000_000),
                visit: 1_764_511_312_000,
                count: 2
            ),
            Zone(name: "immediate", state: .outside, since: Instant(nanoseconds: 1_000_000), visit: nil, count: 0),
        ],
        peers: [
            Peer(identifier: "alice", zone: "near", distance: 2.25, session: .external),
            Peer(identifier: "bob", zone: "unknown", distance: nil, session: .external),
        ],
        distance: 2.2504,
        rawDistance: 2.3,
        direction: SIMD3(0.6, 0, -0.8),
        azimuth: 12.345,
        elevation: -3.5,
        vertical: .above,
        measurement: .distanceAndDirection,
        motion: .approaching,
        speed: -0.516,
        quality: 0.9,
        session: .external,
        run: 7,
        lastReport: Instant(nanoseconds: 3_000_000),
        reportRate: 9.96,
        sequence: 1_764_511_312_004,
        isRestored: false
    )

    /// A state with zones drawn at random; times are whole milliseconds, as payloads write them.
    static func random(using generator: inout SplitMix64) -> StreamState {
        var state = StreamState.unknown
        state.zones = (0..<Int.random(in: 0...5, using: &generator)).map { number in
            Zone(
                name: "zone_\(number)",
                state: ZoneState.allCases.randomElement(using: &generator) ?? .unknown,
                since: Instant(
                    nanoseconds: Int64.random(in: -1_000_000_000...1_000_000_000, using: &generator) * 1_000_000
                ),
                visit: Bool.random(using: &generator) ? Int64.random(in: 1 ... .max, using: &generator) : nil,
                count: Int.random(in: 0...3, using: &generator)
            )
        }
        state.sequence = Bool.random(using: &generator) ? Int64.random(in: 1 ... .max, using: &generator) : nil
        state.distance = Double.random(in: 0...10, using: &generator)
        return state
    }
}
