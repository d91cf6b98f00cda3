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

    private struct SessionBody: Decodable {
        var state: String
        var peer: String?
        var reason: String?
        var attempt: Int?
        var run: Int64?
        var configuration: String?
        var encoding: String?
        var intervalMilliseconds: Int64?

        enum CodingKeys: String, CodingKey {
            case state, peer, reason, attempt, run, configuration, encoding
            case intervalMilliseconds = "interval_ms"
        }
    }

    /// Reads a payload of `…/session`; `nil` if it is not one of ours.
    static func readSession(_ payload: [UInt8]) -> RestoredSession? {
        guard let body = try? JSONDecoder().decode(SessionBody.self, from: Data(payload)) else { return nil }
        guard let state = SessionState(word: body.state) else { return nil }
        let text = Array((body.configuration ?? "").utf8)
        let configuration = try? Hexadecimal.decode(text.span)
        return RestoredSession(
            peer: body.peer,
            state: state,
            reason: body.reason.flatMap { SessionReason(word: $0) },
            attempt: body.attempt ?? 0,
            run: body.run ?? 0,
            configuration: configuration ?? [],
            // The radio's own interval has sixteen bits.
            interval: .milliseconds(min(max(0, body.intervalMilliseconds ?? 0), 65_535)),
            isBinary: body.encoding == "binary"
        )
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
