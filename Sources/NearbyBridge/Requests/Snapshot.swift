// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What people set while the bridge ran: the data of the request `snapshot`, and of its `restore`.
///
/// Zones, visits and numbers are not part of it: they tell of now, and a copy of them would tell of the past.
struct Snapshot: Equatable {
    var approved: [String]
    var blocked: [String]
    /// Who may range, and until which Unix time in milliseconds; `Int64.max` is for good.
    var grants: [Grant]
    /// `key=value`, as `--set` takes them.
    var options: [String]

    /// A permission to range.
    struct Grant: Equatable {
        var accessory: String
        var peer: String?
        var expiry: Int64
    }

    /// A snapshot of a running bridge.
    init(_ membership: Membership, _ options: [String]) {
        approved = membership.approved.sorted()
        blocked = membership.blocked.sorted()
        grants = membership.grants.sorted { $0.key < $1.key }.flatMap { accessory, peers in
            peers.sorted { $0.key < $1.key }.map { peer, expiry in
                Grant(accessory: accessory, peer: peer.isEmpty ? nil : peer, expiry: expiry)
            }
        }
        self.options = options
    }

    /// Reads a snapshot; `nil` if it is none.
    init?(_ value: JSONValue) {
        guard case .object(let fields) = value, fields["v"] == .integer(1) else { return nil }
        guard let approved = Self.identifiers(fields["approved"]), let blocked = Self.identifiers(fields["blocked"]),
            let options = Self.texts(fields["options"]), let grants = Self.grants(fields["grants"])
        else { return nil }
        self.approved = approved
        self.blocked = blocked
        self.grants = grants
        self.options = options
    }

    /// The permissions of a list; none if there is no list, `nil` if it holds anything else.
    private static func grants(_ value: JSONValue?) -> [Grant]? {
        guard let value else { return [] }
        guard case .list(let values) = value else { return nil }
        var grants: [Grant] = []
        for value in values {
            guard case .object(let fields) = value, case .text(let accessory)? = fields["accessory"] else { return nil }
            var grant = Grant(accessory: accessory, peer: nil, expiry: .max)
            switch fields["peer"] {
            case .text(let peer)?: grant.peer = peer
            case .null?, nil: break
            default: return nil
            }
            switch fields["until"] {
            case .integer(let until)?: grant.expiry = until
            case .null?, nil: break
            default: return nil
            }
            let names = [accessory, grant.peer ?? accessory]
            guard names.allSatisfy({ AccessoryIdentifier.isValid(Array($0.utf8).span) }) else { return nil }
            grants.append(grant)
        }
        return grants
    }

    /// The snapshot as JSON, keys sorted.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        func write(_ key: String, _ texts: [String]) {
            json.key(key)
            json.beginArray()
            for text in texts { json.string(text) }
            json.endArray()
        }
        write("approved", approved)
        write("blocked", blocked)
        json.key("grants")
        json.beginArray()
        for grant in grants {
            json.beginObject()
            json.pair("accessory", grant.accessory)
            json.optional("peer", grant.peer)
            if grant.expiry < .max { json.pair("until", grant.expiry) }
            json.endObject()
        }
        json.endArray()
        write("options", options)
        json.pair("v", 1)
        json.endObject()
        return json.bytes
    }

    private static func identifiers(_ value: JSONValue?) -> [String]? {
        texts(value).flatMap { texts in
            texts.allSatisfy { AccessoryIdentifier.isValid(Array($0.utf8).span) } ? texts : nil
        }
    }

    /// The texts of a list; none if there is no list, `nil` if it holds anything else.
    private static func texts(_ value: JSONValue?) -> [String]? {
        guard let value else { return [] }
        guard case .list(let values) = value else { return nil }
        var texts: [String] = []
        for value in values {
            guard case .text(let text) = value else { return nil }
            texts.append(text)
        }
        return texts
    }
}
