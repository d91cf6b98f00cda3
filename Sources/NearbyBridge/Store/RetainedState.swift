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

        struct Told: Decodable {
            var status: String
            var reasons: [String]?
        }

        var seq: Int64?
        var convergence: Told?
        var zones: [String: Zone]
        var devices: [String]?
        var group: String?
    }

    private struct NearestBody: Decodable {
        var accessory: String?
        var distance: Double?
        var since: String
    }

    private struct SessionBody: Decodable {
        struct Announced: Decodable {
            var name: String?
            var technology: String?
            var capabilities: [String]?
        }

        var announced: Announced?
        var networkIdentifier: UInt32?
        var state: String
        var peer: String?
        var reason: String?
        var attempt: Int?
        var run: Int64?
        var configuration: String?
        var encoding: String?
        var intervalMilliseconds: Int64?
        var kind: String?
        var background: Bool?
        var identifier: String?
        var previousIdentifier: String?

        enum CodingKeys: String, CodingKey {
            case previousIdentifier = "previous_identifier"
            case announced, state, peer, reason, attempt, run, configuration, encoding, kind, background, identifier
            case networkIdentifier = "network_identifier"
            case intervalMilliseconds = "interval_ms"
        }
    }

    /// Reads a payload of `…/session`; `nil` if it is not one of ours.
    static func readSession(_ payload: [UInt8]) -> RestoredSession? {
        guard let body = try? JSONDecoder().decode(SessionBody.self, from: Data(payload)) else { return nil }
        guard let state = SessionState(word: body.state) else { return nil }
        let text = Array((body.configuration ?? "").utf8)
        let configuration = try? Hexadecimal.decode(text.span)
        var session = RestoredSession(
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
        session.kind = body.kind.flatMap { SessionKind(rawValue: $0) } ?? .uwb
        session.isBackground = body.background ?? false
        session.identifiers = identifiers(of: body)
        session.announced.name = body.announced?.name
        session.announced.technology = body.announced?.technology.flatMap { Technology(rawValue: $0) }
        session.announced.capabilities = body.announced?.capabilities.map { Capabilities(words: $0) }
        session.announced.networkIdentifier = body.networkIdentifier
        return session
    }

    private static func identifiers(of body: SessionBody) -> BluetoothIdentifiers? {
        func valid(_ text: String?) -> String? {
            text.flatMap { BluetoothIdentifiers.isValid(Array($0.utf8).span) ? $0 : nil }
        }
        return valid(body.identifier).map {
            BluetoothIdentifiers(current: $0, previous: valid(body.previousIdentifier))
        }
    }

    /// Reads a payload of `…/state`; `nil` if it is not one of ours.
    static func read(_ payload: [UInt8], accessory: String, peer: String?, _ wall: WallTime) -> RestoredStream? {
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(payload)), body.group == nil else {
            return nil
        }
        guard let zones = zones(of: body, wall) else { return nil }
        var stream = RestoredStream(accessory: accessory, peer: peer, lastSequence: body.seq, zones: zones)
        stream.isPerson = body.devices != nil
        stream.convergence = body.convergence.flatMap { Convergence(status: $0.status, reasons: $0.reasons ?? []) }
        return stream
    }

    /// Reads a payload of `…/group/<group>/state`; `nil` if it is not one of ours.
    static func readGroup(_ payload: [UInt8], group: String, _ wall: WallTime) -> RestoredGroup? {
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(payload)), body.group == group else {
            return nil
        }
        guard let zones = zones(of: body, wall) else { return nil }
        return RestoredGroup(group: group, lastSequence: body.seq, zones: zones)
    }

    /// Reads a payload of `…/nearest`; `nil` if it is not one of ours.
    static func readNearest(_ payload: [UInt8], peer: String, _ wall: WallTime) -> RestoredGroup.Nearest? {
        guard let body = try? JSONDecoder().decode(NearestBody.self, from: Data(payload)) else { return nil }
        guard let since = instant(body.since, wall) else { return nil }
        return RestoredGroup.Nearest(peer: peer, accessory: body.accessory, distance: body.distance, since: since)
    }

    /// Adds a payload of a group's own, or of a peer's nearest accessory, to what is known of groups.
    static func add(
        _ payload: [UInt8],
        ofGroup group: String,
        _ peer: String?,
        _ wall: WallTime,
        to groups: inout [RestoredGroup]
    ) {
        var place = groups.firstIndex { $0.group == group }
        if place == nil {
            place = groups.count
            groups.append(RestoredGroup(group: group))
        }
        guard let place else { return }
        if let peer {
            if let nearest = readNearest(payload, peer: peer, wall) { groups[place].nearest.append(nearest) }
        } else if let read = readGroup(payload, group: group, wall) {
            groups[place].lastSequence = read.lastSequence
            groups[place].zones = read.zones
        }
    }

    private static func instant(_ text: String, _ wall: WallTime) -> Instant? {
        let bytes = Array(text.utf8)
        return ISO8601Timestamp.nanoseconds(bytes.span).map { wall.instant(ofUnixNanoseconds: $0) }
    }

    private static func zones(of body: Body, _ wall: WallTime) -> [RestoredStream.Zone]? {
        var zones: [RestoredStream.Zone] = []
        for (name, zone) in body.zones.sorted(by: { $0.key < $1.key }) {
            guard let state = ZoneState(word: zone.state) else { return nil }
            zones.append(
                RestoredStream.Zone(
                    name: name,
                    state: state,
                    since: zone.since.flatMap { instant($0, wall) } ?? .distantPast,
                    visit: max(0, zone.visit ?? 0)
                )
            )
        }
        return zones
    }
}
