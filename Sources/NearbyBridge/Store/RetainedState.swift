// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NearbyCore

/// A state topic of ours, read back: what an earlier life of the bridge left with the broker.
enum RetainedState {
    private struct Body: Decodable {
        struct Zone: Decodable {
            var state: String
            var since: String?
            var visit: Int64?
        }

        var seq: Int64?
        var zones: [String: Zone]
    }

    /// Reads a payload of `…/state`; `nil` if it is not one of ours.
    static func read(_ payload: [UInt8], accessory: String, peer: String?, _ wall: WallTime) -> RestoredStream? {
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(payload)) else { return nil }
        var zones: [RestoredStream.Zone] = []
        for (name, zone) in body.zones.sorted(by: { $0.key < $1.key }) {
            guard let state = ZoneState(word: zone.state) else { return nil }
            let since = zone.since.flatMap { text in
                let bytes = Array(text.utf8)
                return ISO8601Timestamp.nanoseconds(bytes.span)
            }
            zones.append(
                RestoredStream.Zone(
                    name: name,
                    state: state,
                    since: since.map { wall.instant(ofUnixNanoseconds: $0) } ?? .distantPast,
                    visit: max(0, zone.visit ?? 0)
                )
            )
        }
        return RestoredStream(accessory: accessory, peer: peer, lastSequence: body.seq, zones: zones)
    }
}
