// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct OutboxTests {
    private let start = Instant(nanoseconds: 0)

    private func outbox(_ messages: [OutgoingMessage], capacity: Int = 1 << 20) -> Outbox {
        var outbox = Outbox(capacity: capacity)
        for message in messages { outbox.append(message) }
        return outbox
    }

    @Test func `messages leave in the order in which they came`() {
        let box = outbox([.event(1), .state(2), .line(3), .event(4)])
        #expect(box.topics() == ["event/1", "state/2", "line/3", "event/4"])
    }

    @Test func `the order holds over thousands of messages`() {
        var box = outbox((0..<5000).map { .event($0) })
        var seen: [String] = []
        for index in 0..<3000 {
            guard let message = box.next(at: start) else { break }
            seen.append(message.topic)
            box.handedOver(message, as: Int32(index))
            box.acknowledged(Int32(index))
        }
        box.append(.event(5000))
        #expect(seen + box.topics() == (0...5000).map { "event/\($0)" })
        #expect(box.bytes == (3000...5000).reduce(0) { $0 + OutgoingMessage.event($1).cost })
    }

    @Test func `twenty messages wait for their acknowledgement at most`() {
        var box = outbox((0..<30).map { .event($0) })
        #expect(box.fillWindow().count == 20)
        #expect(!box.hasRoomInWindow)
        let _ = box.acknowledged(7)
        let _ = box.acknowledged(7)
        let _ = box.acknowledged(99)
        #expect(box.fillWindow(from: 21) == ["event/20"])
        #expect(box.count == 29)
        #expect(box.waiting == 9)
    }

    @Test func `messages without acknowledgement do not fill the window`() {
        var box = outbox((0..<100).map { .line($0) })
        #expect(box.fillWindow().count == 100)
        #expect(box.bytes == 0)
        #expect(box.count == 0)
    }

    @Test func `a message is owned until it is acknowledged`() {
        var box = outbox([.event(1)])
        box.fillWindow()
        #expect(box.bytes == OutgoingMessage.event(1).cost)
        #expect(box.count == 1)
        let _ = box.acknowledged(1)
        #expect(box.bytes == 0)
        #expect(box.count == 0)
    }

    @Test func `what is prepended comes first, in its order`() {
        var box = outbox((0..<5).map { .event($0) })
        for number in 0..<2 {
            guard let message = box.next(at: start) else { break }
            box.handedOver(message, as: Int32(number))
        }
        box.prepend([.state(10), .state(11)])
        #expect(box.topics() == ["state/10", "state/11", "event/2", "event/3", "event/4"])
        #expect(box.count == 7)
        var empty = Outbox(capacity: 1000)
        empty.prepend([.state(1)])
        #expect(empty.topics() == ["state/1"])
    }

    @Test func `a message that cannot be sent is let go, and counted if it is an event`() {
        var box = outbox([.event(1), .state(2), .event(3)])
        box.giveUp()
        box.giveUp()
        #expect(box.topics() == ["event/3"])
        #expect(box.dropped == 1)
        #expect(box.bytes == OutgoingMessage.event(3).cost)
    }

    // MARK: Bounds

    @Test func `states give way to events, and everything is published again later`() {
        let cost = OutgoingMessage.state(1).cost
        var box = outbox([.state(1), .event(2), .state(3)], capacity: 3 * cost)
        box.append(.event(4))
        #expect(box.topics() == ["event/2", "event/4"])
        #expect(box.dropped == 0)
        #expect(box.needsRepublication)
    }

    @Test func `a state never displaces anything`() {
        let box = outbox([.event(1), .state(2), .state(3)], capacity: 2 * OutgoingMessage.event(1).cost)
        #expect(box.topics() == ["event/1", "state/2"])
        #expect(box.needsRepublication)
        let other = outbox([.event(1), .line(2)], capacity: OutgoingMessage.event(1).cost)
        #expect(!other.needsRepublication)
    }

    @Test func `old events give way to new ones and are counted`() {
        let box = outbox((0..<5).map { .event($0) }, capacity: 3 * OutgoingMessage.event(1).cost)
        #expect(box.topics() == ["event/2", "event/3", "event/4"])
        #expect(box.dropped == 2)
        #expect(!box.needsRepublication)
    }

    @Test func `an event that can never fit displaces nothing`() {
        var box = outbox([.event(1), .state(2)], capacity: 1000)
        box.append(.event(3, bytes: 1000))
        #expect(box.topics() == ["event/1", "state/2"])
        #expect(box.dropped == 1)
        #expect(box.bytes <= 1000)
    }

    @Test func `messages in flight keep their place`() {
        let cost = OutgoingMessage.event(1).cost
        var box = outbox([.event(1), .event(2)], capacity: 2 * cost)
        box.fillWindow()
        box.append(.event(3))
        #expect(box.dropped == 1)
        #expect(box.count == 2)
        box.acknowledged(1)
        box.append(.event(4))
        #expect(box.topics() == ["event/4"])
    }

    // MARK: Age

    @Test func `an event that is too old is left out and counted`() {
        let box = outbox([.event(1, expiresAt: 100), .state(2), .event(3, expiresAt: 50), .event(4, expiresAt: 101)])
        var late = box
        #expect(box.topics(at: Instant(nanoseconds: 49)).count == 4)
        #expect(box.topics(at: Instant(nanoseconds: 100)) == ["state/2", "event/4"])
        late.expire(at: Instant(nanoseconds: 100))
        #expect(late.expired == 1)
        #expect(late.count == 3)
        while let message = late.next(at: Instant(nanoseconds: 100)) { late.handedOver(message, as: 1) }
        #expect(late.expired == 2)
    }

    @Test func `an answer outlives a connection, but displaces no event and is not counted as one`() {
        var answer = OutgoingMessage.event(9, expiresAt: 100)
        answer.isAnswer = true
        var box = outbox([answer, .event(1)])
        box.disconnected()
        #expect(box.topics() == ["event/9", "event/1"])
        box.expire(at: Instant(nanoseconds: 100))
        #expect(box.topics() == ["event/1"])
        #expect(box.expired == 0)
        let full = outbox([.event(1), .event(2), answer], capacity: 2 * OutgoingMessage.event(1).cost)
        #expect(full.topics() == ["event/1", "event/2"])
        #expect(full.dropped == 0)
    }

    @Test func `old events go while nobody asks for them`() {
        var box = outbox((1...10).map { .event($0, expiresAt: Int64($0)) })
        box.expire(at: Instant(nanoseconds: 7))
        #expect(box.count == 3)
        #expect(box.expired == 7)
        #expect(box.bytes == (8...10).reduce(0) { $0 + OutgoingMessage.event($1).cost })
    }

    // MARK: Outages

    @Test func `a disconnect keeps the events only, those in flight first`() {
        var box = outbox((0..<30).map { $0 % 2 == 0 ? .event($0) : .state($0) })
        box.fillWindow()
        box.acknowledged(3)
        box.disconnected()
        let expected = (0..<30).filter { $0 % 2 == 0 && $0 != 2 }
        #expect(box.topics() == expected.map { "event/\($0)" })
        #expect(box.bytes == expected.reduce(0) { $0 + OutgoingMessage.event($1).cost })
        #expect(box.hasRoomInWindow)
        #expect(!box.needsRepublication)
    }

    @Test func `an event is the same when it is sent again`() throws {
        var waiting = OutgoingMessage.event(1)
        waiting.stampAt = 3
        var box = outbox([waiting])
        let next = box.next(at: start)
        var sent = try #require(next)
        sent.payload[3] = 77
        sent.stampAt = nil
        box.handedOver(sent, as: 1)
        box.disconnected()
        #expect(box.next(at: start) == sent)
    }

    @Test func `a topic whose clearing got lost is still to be cleared`() {
        let cost = OutgoingMessage.clearing(1).cost
        var inFlight = outbox([.clearing(1), .clearing(2), .state(3)])
        if let message = inFlight.next(at: start) { inFlight.handedOver(message, as: 1) }
        inFlight.disconnected()
        #expect(inFlight.takeTopicsToClear() == ["state/1", "state/2"])
        #expect(inFlight.takeTopicsToClear() == [])

        var displaced = outbox([.clearing(1)], capacity: OutgoingMessage.event(2).cost)
        displaced.append(.event(2))
        #expect(displaced.takeTopicsToClear() == ["state/1"])

        var refused = outbox([.clearing(1), .clearing(2)], capacity: cost)
        #expect(refused.needsRepublication)
        #expect(refused.takeTopicsToClear() == ["state/2"])

        var done = outbox([.clearing(1)])
        done.fillWindow()
        done.acknowledged(1)
        done.disconnected()
        #expect(done.takeTopicsToClear() == [])
    }

    // MARK: The naive model

    @Test(arguments: 0..<20)
    func `any order of calls leaves what a naive outbox holds`(_ seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let capacity = Int.random(in: 500...6000, using: &generator)
        var box = Outbox(capacity: capacity)
        var naive = NaiveOutbox(capacity: capacity)
        var now = start
        for step in 0..<1000 {
            now = Instant(nanoseconds: now.nanoseconds + Int64.random(in: 0...3, using: &generator))
            OutboxOperation.random(step, at: now, using: &generator).apply(to: &box, &naive, at: now)
            #expect(box.bytes == naive.bytes, "seed \(seed), step \(step)")
            #expect(box.count == naive.queue.count + naive.inFlight.count, "seed \(seed), step \(step)")
            #expect(box.waiting == naive.queue.count, "seed \(seed), step \(step)")
            #expect(box.expired == naive.expired, "seed \(seed), step \(step)")
            #expect(box.dropped == naive.dropped, "seed \(seed), step \(step)")
            #expect(box.needsRepublication == naive.needsRepublication, "seed \(seed), step \(step)")
            if step % 50 == 0 { #expect(box.topics() == naive.queue.map(\.topic), "seed \(seed), step \(step)") }
        }
    }

    @Test func `a command is neither kept over an outage nor sent once its time is over, and is no event`() {
        let now = Instant(nanoseconds: 0)
        let command = OutgoingMessage(
            topic: "nearby/accessory/lamp/command",
            payload: [0x0A],
            qualityOfService: 1,
            isRetained: false,
            expiresAt: now.advanced(by: .seconds(3)),
            isCommand: true
        )
        var outbox = Outbox(capacity: 10_000)
        outbox.append(command)
        #expect(outbox.next(at: now) == command)
        #expect(outbox.next(at: now.advanced(by: .seconds(3))) == nil)
        outbox.append(command)
        outbox.handedOver(command, as: 1)
        outbox.append(command)
        outbox.disconnected()
        #expect(outbox.count == 0)
        #expect(outbox.bytes == 0)
        #expect(outbox.expired == 0)
    }
}
