// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport

/// A broker of MQTT 3.1.1 that does what mosquitto does not: passes control characters on, refuses a subscription.
final class FakeBroker: Sendable {
    /// A message, its topic in bytes because it need not be text.
    struct Message: Sendable {
        var topic: [UInt8]
        var payload: [UInt8]
        var isRetained = false

        init(_ topic: String, _ payload: String, isRetained: Bool = false) {
            self.topic = Array(topic.utf8)
            self.payload = Array(payload.utf8)
            self.isRetained = isRetained
        }

        fileprivate var packet: [UInt8] {
            var body = [UInt8(topic.count >> 8), UInt8(topic.count & 0xFF)] + topic + payload
            var length: [UInt8] = []
            var rest = body.count
            repeat {
                length.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
                rest >>= 7
            } while rest > 0
            body.insert(contentsOf: [isRetained ? 0x31 : 0x30] + length, at: 0)
            return body
        }
    }

    private let server: FakeServer
    private let received: Locked<[Message]>

    /// Where it listens.
    var port: Int { server.port }
    /// What was published to it, in order.
    var topics: [String] { received.withLock { $0.map { String(decoding: $0.topic, as: UTF8.self) } } }

    /// Sends `messages` to whoever subscribes to a filter with `trigger` in it, and grants reports as told.
    init(_ messages: [Message], to trigger: String, reportGrant: UInt8 = 0) throws(SystemError) {
        let received = Locked<[Message]>([])
        self.received = received
        server = try FakeServer { connection in
            var buffer: [UInt8] = []
            while true {
                let bytes = connection.read()
                if bytes.isEmpty { return }
                buffer += bytes
                while let packet = Self.takePacket(from: &buffer) {
                    for answer in Self.answers(to: packet, messages, trigger, reportGrant, received) {
                        connection.write(answer)
                    }
                }
            }
        }
    }

    /// A whole packet: its first byte and what follows the length.
    private static func takePacket(from buffer: inout [UInt8]) -> (kind: UInt8, body: [UInt8])? {
        var length = 0
        var position = 1
        while true {
            guard position < buffer.count else { return nil }
            length |= Int(buffer[position] & 0x7F) << (7 * (position - 1))
            position += 1
            if buffer[position - 1] & 0x80 == 0 { break }
        }
        guard buffer.count >= position + length else { return nil }
        let packet = (buffer[0], Array(buffer[position..<position + length]))
        buffer.removeFirst(position + length)
        return packet
    }

    private static func answers(
        to packet: (kind: UInt8, body: [UInt8]),
        _ messages: [Message],
        _ trigger: String,
        _ reportGrant: UInt8,
        _ received: Locked<[Message]>
    ) -> [[UInt8]] {
        switch packet.kind >> 4 {
        case 1: return [[0x20, 2, 0, 0]]
        case 3: return publication(packet, received)
        case 8:
            var codes: [UInt8] = []
            var position = 2
            var isTriggered = false
            while position + 2 < packet.body.count {
                let end = position + 2 + Int(packet.body[position]) << 8 + Int(packet.body[position + 1])
                let filter = String(decoding: packet.body[(position + 2)..<end], as: UTF8.self)
                codes.append(filter.hasSuffix("/report") ? reportGrant : 0)
                isTriggered = isTriggered || filter.contains(trigger)
                position = end + 1
            }
            let granted = [0x90, UInt8(2 + codes.count)] + packet.body.prefix(2) + codes
            return [granted] + (isTriggered ? messages.map(\.packet) : [])
        case 12: return [[0xD0, 0]]
        default: return []
        }
    }

    private static func publication(
        _ packet: (kind: UInt8, body: [UInt8]),
        _ received: Locked<[Message]>
    ) -> [[UInt8]] {
        let length = Int(packet.body[0]) << 8 + Int(packet.body[1])
        let topic = String(decoding: packet.body[2..<(2 + length)], as: UTF8.self)
        let isAcknowledged = packet.kind & 0x06 != 0
        let payload = packet.body.dropFirst(2 + length + (isAcknowledged ? 2 : 0))
        let message = Message(topic, String(decoding: payload, as: UTF8.self))
        received.withLock { $0.append(message) }
        if isAcknowledged { return [[0x40, 2] + packet.body[(2 + length)..<(4 + length)]] }
        return topic.contains("/bridge/start/") ? [message.packet] : []
    }
}
