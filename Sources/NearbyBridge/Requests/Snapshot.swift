// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What people set while the bridge ran: the data of the request `snapshot`, and of its `restore`.
///
/// Zones, visits and numbers are not part of it: they tell of now, and a copy of them would tell of the past.
struct Snapshot: Equatable {
    var approved: [String]
    var blocked: [String]
    /// `key=value`, as `--set` takes them.
    var options: [String]

    /// A snapshot of a running bridge.
    init(_ membership: Membership, _ options: [String]) {
        approved = membership.approved.sorted()
        blocked = membership.blocked.sorted()
        self.options = options
    }

    /// Reads a snapshot; `nil` if it is none.
    init?(_ value: JSONValue) {
        guard case .object(let fields) = value, fields["v"] == .integer(1) else { return nil }
        guard let approved = Self.identifiers(fields["approved"]), let blocked = Self.identifiers(fields["blocked"]),
            let options = Self.texts(fields["options"])
        else { return nil }
        self.approved = approved
        self.blocked = blocked
        self.options = options
    }

    /// The snapshot as JSON, keys sorted.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for (key, texts) in [("approved", approved), ("blocked", blocked), ("options", options)] {
            json.key(key)
            json.beginArray()
            for text in texts { json.string(text) }
            json.endArray()
        }
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
