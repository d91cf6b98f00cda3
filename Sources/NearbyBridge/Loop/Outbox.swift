// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import NearbyCore

/// A message on its way to the broker.
struct OutgoingMessage: Equatable, Sendable {
    var topic: String
    var payload: [UInt8]
    /// 0 or 1.
    var qualityOfService: Int
    var isRetained: Bool
    /// The end of its usefulness; only events and commands have one.
    var expiresAt: Instant?
    /// For an accessory, and only for now.
    var isCommand = false
    /// For whoever asked: nobody misses it who does not ask again.
    var isAnswer = false
    /// What MQTT 5 says beside the payload.
    var userProperties: [UserProperty] = []
    /// Where the time of publishing stands until it is filled in.
    var stampAt: Int?
    /// Which event it is, for the store.
    var event: EventKey?
    /// Given back to who asked, with MQTT 5.
    var correlationData: [UInt8]?

    /// Events survive an outage; everything retained is published again anyway, and a command that comes late does harm.
    var isEvent: Bool { expiresAt != nil && !isCommand && !isAnswer }
    /// What is still worth something on the next connection.
    var outlivesConnection: Bool { isEvent || isAnswer }
    /// Clears a retained topic of something that is gone: nothing that is published again would do it.
    var isClearing: Bool { isRetained && payload.isEmpty }
    /// What it costs to keep, in bytes.
    var cost: Int { topic.utf8.count + payload.count + 96 }
}

extension OutgoingMessage {
    /// An event on its topic.
    init(_ event: Journal.Event, _ topics: TopicScheme) {
        topic = topics.event(of: event.key.accessory, peer: event.key.peer)
        payload = event.payload
        qualityOfService = 1
        isRetained = false
        expiresAt = event.expiresAt
        stampAt = event.stampAt
        self.event = event.key
    }
}

/// Owns every outgoing message until the broker has acknowledged it.
///
/// First in, first out, bounded in bytes and, for events, in age. libmosquitto is handed at most `window` messages at
/// a time and nothing while it is offline, because its own queue has no bound (reference/scale-helm-mqtt.md 3.2).
struct Outbox: Sendable {
    /// How many messages wait for their acknowledgement at most.
    static let window = 20

    private var queue: [OutgoingMessage] = []
    private var head = 0
    private var unacknowledged: [(identifier: Int32, message: OutgoingMessage)] = []
    /// How many bytes it holds at most; what it holds beyond that leaves in its time.
    var capacity: Int
    /// Retained topics that are still to be cleared, because their clearing was let go of.
    private var toClear: [String] = []
    private static let mostToClear = 10_000

    /// Bytes held.
    private(set) var bytes = 0
    /// Events that grew too old before they could be sent.
    private(set) var expired = 0
    /// Events given up because the outbox was full.
    private(set) var dropped = 0
    /// A retained message was given up: the whole retained set has to be published again when there is room.
    var needsRepublication = false

    /// Creates an empty outbox that holds so many bytes.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many messages are held.
    var count: Int { queue.count - head + unacknowledged.count }
    /// How many messages wait to be handed over.
    var waiting: Int { queue.count - head }
    /// What can wait should not fill the rest.
    var isHalfFull: Bool { bytes * 2 > capacity }
    /// Whether another message may be handed over.
    var hasRoomInWindow: Bool { unacknowledged.count < Self.window }

    /// Takes a message.
    ///
    /// In an outbox that is full, states make room for events, never the other way round, and old events for new ones.
    mutating func append(_ message: OutgoingMessage) {
        if bytes + message.cost > capacity {
            guard message.isEvent else {
                needsRepublication = needsRepublication || message.isRetained
                if message.isClearing { clearLater([message.topic]) }
                return
            }
            guard makeRoom(for: message.cost) else {
                dropped += 1
                return
            }
        }
        bytes += message.cost
        queue.append(message)
    }

    /// Notes retained topics to clear with the next publication of everything.
    mutating func clearLater(_ topics: [String]) {
        guard toClear.count < Self.mostToClear else { return }
        toClear.append(contentsOf: topics)
    }

    /// Takes the topics that are to be cleared before everything is published again.
    mutating func takeTopicsToClear() -> [String] {
        defer { toClear.removeAll() }
        return toClear
    }

    /// Puts messages before all that wait, in their order: a birth comes first.
    mutating func prepend(_ messages: [OutgoingMessage]) {
        queue.replaceSubrange(0..<head, with: messages)
        head = 0
        bytes += messages.reduce(0) { $0 + $1.cost }
    }

    /// The message that `next` gave cannot be sent at all: it is let go.
    mutating func giveUp() {
        bytes -= queue[head].cost
        dropped += queue[head].isEvent ? 1 : 0
        advance()
    }

    /// The next message to hand over, with expired events left out and counted.
    mutating func next(at now: Instant) -> OutgoingMessage? {
        while head < queue.count {
            let message = queue[head]
            guard let expiry = message.expiresAt, expiry <= now else { return message }
            expired += message.isEvent ? 1 : 0
            bytes -= message.cost
            advance()
        }
        return nil
    }

    /// Notes that the message that `next` gave was handed over.
    ///
    /// - Parameters:
    ///   - message: The message as it was sent, with its time of publishing.
    ///   - identifier: libmosquitto's number for it.
    mutating func handedOver(_ message: OutgoingMessage, as identifier: Int32) {
        advance()
        if message.qualityOfService == 0 {
            bytes -= message.cost
        } else {
            unacknowledged.append((identifier, message))
        }
    }

    /// Notes that the broker has a message.
    ///
    /// It may have refused it: then it is no use to send it again.
    ///
    /// - Returns: The message; `nil` if none waited for that.
    @discardableResult
    mutating func acknowledged(_ identifier: Int32) -> OutgoingMessage? {
        guard let index = unacknowledged.firstIndex(where: { $0.identifier == identifier }) else { return nil }
        let message = unacknowledged.remove(at: index).message
        bytes -= message.cost
        return message
    }

    /// The connection is gone: keeps the events, oldest first, and lets go of what is published again anyway.
    mutating func disconnected() {
        let messages = unacknowledged.map(\.message) + queue[head...]
        let events = messages.filter(\.outlivesConnection)
        clearLater(messages.filter(\.isClearing).map(\.topic))
        unacknowledged.removeAll()
        queue = events
        head = 0
        bytes = events.reduce(0) { $0 + $1.cost }
        needsRepublication = false
    }

    /// Lets go of everything that has expired; while offline nothing else would.
    mutating func expire(at now: Instant) {
        _ = next(at: now)
    }

    private mutating func advance() {
        head += 1
        if head == queue.count {
            queue.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1024, head * 2 > queue.count {
            queue.removeFirst(head)
            head = 0
        }
    }

    /// Whether there is room now; nothing is let go of in vain.
    private mutating func makeRoom(for cost: Int) -> Bool {
        let inFlight = unacknowledged.reduce(0) { $0 + $1.message.cost }
        guard inFlight + cost <= capacity else { return false }
        let states = queue[head...].filter { !$0.isEvent }
        if !states.isEmpty {
            needsRepublication = true
            clearLater(states.filter(\.isClearing).map(\.topic))
            queue = queue[head...].filter(\.isEvent)
            head = 0
            bytes -= states.reduce(0) { $0 + $1.cost }
        }
        while bytes + cost > capacity, head < queue.count {
            bytes -= queue[head].cost
            dropped += 1
            advance()
        }
        return true
    }
}
