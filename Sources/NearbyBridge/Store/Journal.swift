// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Which event it is: its stream and its number there.
struct EventKey: Hashable, Sendable {
    /// The accessory's identifier.
    var accessory: String
    /// The peer's identifier; `nil` for the accessory's own stream.
    var peer: String?
    /// The event's number.
    var sequence: Int64
}

extension EventKey {
    /// An event of a group, which stands in the accessory's place under a name that no accessory can have.
    init(group: String, sequence: Int64) {
        self.init(accessory: EventIdentifier.group(group), peer: nil, sequence: sequence)
    }

    /// The group whose event it is, if it is one.
    var group: String? {
        accessory.hasPrefix(TopicScheme.groupLevel) ? String(accessory.dropFirst(TopicScheme.groupLevel.count)) : nil
    }
}

/// What changed since the last commit of the store.
///
/// Grows with changes of zones and sessions, never with reports. Without a store it stays empty.
struct Journal: Sendable {
    /// An event as it is sent.
    struct Event: Sendable {
        var key: EventKey
        var payload: [UInt8]
        /// Where the time of publishing stands until it is filled in.
        var stampAt: Int?
        /// The end of its usefulness.
        var expiresAt: Instant
    }

    /// A store will take it.
    var isKept = false
    /// New events in their order.
    private(set) var events: [Event] = []
    /// Events of earlier commits that have been handed over since, with their time of publishing.
    private(set) var stamped: [(key: EventKey, payload: [UInt8])] = []
    /// Events that the broker has.
    private(set) var acknowledged: [EventKey] = []
    /// Streams whose zones, session or number changed.
    private(set) var streams: Set<StreamID> = []
    /// Accessories that are no more.
    private(set) var removed: [String] = []
    /// What people decided about an accessory: whether it is approved, or blocked; neither if that was taken back.
    private(set) var members: [(accessory: String, isApproved: Bool, isBlocked: Bool)] = []
    /// Permissions to range that were given, until which Unix time in milliseconds, or taken back: `nil`.
    private(set) var grants: [(accessory: String, peer: String?, expiry: Int64?)] = []
    /// What requests have set, all of it, if that changed.
    private(set) var options: [String]?
    /// Peers that are no more.
    private(set) var forgotten: [(accessory: String, peer: String)] = []
    /// Groups whose zones or number changed.
    private(set) var groups: Set<String> = []
    /// Whose nearest accessory changed, by group.
    private(set) var nearest: [String: Set<String>] = [:]
    /// A store that cannot write must not make memory grow.
    private static let most = 10_000

    /// Whether there is nothing to commit.
    var isEmpty: Bool {
        events.isEmpty && stamped.isEmpty && acknowledged.isEmpty && streams.isEmpty && forgotten.isEmpty
            && groups.isEmpty && nearest.isEmpty
            && removed.isEmpty && members.isEmpty && grants.isEmpty && options == nil
    }

    /// A new event.
    mutating func append(_ event: Event) {
        guard isKept, events.count < Self.most else { return }
        events.append(event)
    }

    /// An event was handed over, and its time of publishing filled in.
    mutating func stamp(_ key: EventKey, _ payload: [UInt8]) {
        guard isKept else { return }
        if let index = events.firstIndex(where: { $0.key == key }) {
            events[index].payload = payload
            events[index].stampAt = nil
        } else if stamped.count < Self.most {
            stamped.append((key, payload))
        }
    }

    /// The broker has an event.
    mutating func acknowledge(_ key: EventKey) {
        guard isKept, acknowledged.count < Self.most else { return }
        acknowledged.append(key)
    }

    /// A stream's zones, session or number changed.
    mutating func change(_ stream: StreamID) {
        guard isKept else { return }
        streams.insert(stream)
    }

    /// A group's zones or number changed.
    mutating func change(group: String) {
        guard isKept else { return }
        groups.insert(group)
    }

    /// Another accessory is the nearest of a peer.
    mutating func change(nearest peer: String, inGroup group: String) {
        guard isKept else { return }
        nearest[group, default: []].insert(peer)
    }

    /// A group is no more.
    mutating func forget(group: String) { remove(EventIdentifier.group(group)) }

    /// Nobody of this name is known in a group any more.
    mutating func forget(nearest peer: String, inGroup group: String) {
        forget(EventIdentifier.group(group), peer)
    }

    /// A peer is no more.
    mutating func forget(_ accessory: String, _ peer: String) {
        guard isKept, forgotten.count < Self.most else { return }
        forgotten.append((accessory, peer))
    }

    /// An accessory is no more.
    mutating func remove(_ accessory: String) {
        guard isKept, removed.count < Self.most else { return }
        removed.append(accessory)
    }

    /// Somebody decided about an accessory.
    mutating func decide(_ accessory: String, isApproved: Bool, isBlocked: Bool) {
        guard isKept, members.count < Self.most else { return }
        members.append((accessory, isApproved, isBlocked))
    }

    /// A permission to range was given or taken back.
    mutating func grant(_ accessory: String, _ peer: String?, _ expiry: Int64?) {
        guard isKept, grants.count < Self.most else { return }
        grants.append((accessory, peer, expiry))
    }

    /// Requests have set these options, and no others.
    mutating func set(_ options: [String]) {
        guard isKept else { return }
        self.options = options
    }

    /// Everything is in the store.
    mutating func removeAll() {
        self = Journal(isKept: isKept)
    }

    init(isKept: Bool = false) {
        self.isKept = isKept
    }
}
