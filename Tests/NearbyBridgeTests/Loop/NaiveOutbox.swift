// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

/// The outbox as one would write it without a thought to speed.
struct NaiveOutbox {
    let capacity: Int
    var queue: [OutgoingMessage] = []
    var inFlight: [(identifier: Int32, message: OutgoingMessage)] = []
    var expired = 0
    var dropped = 0
    var needsRepublication = false

    init(capacity: Int) {
        self.capacity = capacity
    }

    var bytes: Int {
        queue.reduce(0) { $0 + $1.cost } + inFlight.reduce(0) { $0 + $1.message.cost }
    }

    mutating func append(_ message: OutgoingMessage) {
        if bytes + message.cost > capacity {
            if !message.isEvent {
                if message.isRetained { needsRepublication = true }
                return
            }
            if inFlight.reduce(message.cost, { $0 + $1.message.cost }) > capacity {
                dropped += 1
                return
            }
            if queue.contains(where: { !$0.isEvent }) {
                needsRepublication = true
                queue.removeAll { !$0.isEvent }
            }
            while bytes + message.cost > capacity {
                queue.removeFirst()
                dropped += 1
            }
        }
        queue.append(message)
    }

    mutating func expire(at now: Instant) {
        while let expiry = queue.first?.expiresAt, expiry <= now {
            queue.removeFirst()
            expired += 1
        }
    }

    mutating func disconnected() {
        queue = (inFlight.map(\.message) + queue).filter(\.isEvent)
        inFlight = []
        needsRepublication = false
    }
}

/// A call of an outbox.
enum OutboxOperation {
    case append(OutgoingMessage)
    case prepend([OutgoingMessage])
    case handOver(Int32)
    case giveUp
    case acknowledge(Int32)
    case disconnect
    case expire

    static func random(_ step: Int, at now: Instant, using generator: inout SplitMix64) -> OutboxOperation {
        let bytes = Int.random(in: 0...200, using: &generator)
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<25:
            let expiry = now.nanoseconds + Int64.random(in: 1...200, using: &generator)
            return .append(.event(step, expiresAt: expiry, bytes: bytes))
        case 25..<40: return .append(.state(step, qualityOfService: bytes % 2, bytes: bytes))
        case 40..<45: return .append(.line(step))
        case 45..<48: return .prepend([.state(step), .state(step + 1)])
        case 48..<70: return .handOver(Int32(step))
        case 70..<73: return .giveUp
        case 73..<94: return .acknowledge(Int32(step - Int.random(in: 1...60, using: &generator)))
        case 94..<95: return .disconnect
        default: return .expire
        }
    }

    func apply(to box: inout Outbox, _ naive: inout NaiveOutbox, at now: Instant) {
        switch self {
        case .append(let message):
            box.append(message)
            naive.append(message)
        case .prepend(let messages):
            box.prepend(messages)
            naive.queue = messages + naive.queue
        case .handOver(let identifier):
            guard box.hasRoomInWindow else { return }
            naive.expire(at: now)
            guard let message = box.next(at: now) else { return }
            box.handedOver(message, as: identifier)
            let first = naive.queue.removeFirst()
            if first.qualityOfService > 0 { naive.inFlight.append((identifier, first)) }
        case .giveUp:
            naive.expire(at: now)
            guard box.next(at: now) != nil else { return }
            box.giveUp()
            if naive.queue.removeFirst().isEvent { naive.dropped += 1 }
        case .acknowledge(let identifier):
            let wasInFlight = naive.inFlight.contains { $0.identifier == identifier }
            let isKnown = box.acknowledged(identifier) != nil
            #expect(isKnown == wasInFlight)
            naive.inFlight.removeAll { $0.identifier == identifier }
        case .disconnect:
            box.disconnected()
            naive.disconnected()
        case .expire:
            box.expire(at: now)
            naive.expire(at: now)
        }
    }
}
