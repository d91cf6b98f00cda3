// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A session as a consumer reads it (CONTRACT section 4.3).
struct SessionTopic: Decodable {
    var state: String
    var run: Int64?
    var configuration: String?
    var reason: String?
    var hint: String?
}

/// An event of a session or a zone, as far as the tests look at it (CONTRACT section 4.2).
struct SessionNews: Decodable {
    var type: String
    var seq: Int64
    var run: Int64?
    var stage: String?
    var zone: String?
    var reason: String?
    var rung: String?
    var hint: String?

    /// The event in short: `session_timeout start`.
    var summary: String {
        ([type] + [stage, rung, zone, type == "configuration_rejected" ? nil : reason].compactMap(\.self))
            .joined(separator: " ")
    }
}

/// What an accessory that writes JSON is told (CONTRACT section 2.1).
struct SpokenCommand: Decodable {
    var command: String
    var data: String?
    var peer: String?
    var run: Int64
}

/// The answer to a request about a session.
struct SessionAnswer: Decodable {
    struct Data: Decodable { var session: String }
    var status: String
    var error: String?
    var data: Data?
}

/// What an accessory with a session says, and what it is told.
extension Site {
    /// A captured accessory's configuration data.
    static let configuration: [UInt8] = [
        0x01, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x15, 0x01, 0, 0x01, 0, 0x3F, 0xF5, 0x03, 0, 0xB8, 0x0B, 0,
        0,
        0, 0, 0x01, 0x01, 0x01, 0x11, 0xD7, 0x19, 0,
    ]
    /// Time-outs short enough for a test, long enough for a busy machine.
    static let quick = [
        "session.timeouts.start=1500ms", "session.timeouts.silence=1500ms", "session.timeouts.configuration=1s",
        "session.timeouts.stop=500ms", "session.retry.backoff=[300ms]",
    ]

    /// Bytes as hexadecimal text.
    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    func configure(_ accessory: String = "lamp", _ payload: [UInt8] = Site.configuration) throws {
        try source.publish(topic("accessory/\(accessory)/config"), bytes: payload)
    }

    /// What an accessory was told so far, without the messages forgotten.
    func commands(to accessory: String = "lamp") -> [[UInt8]] {
        consumer.messages.filter { $0.topic == topic("accessory/\(accessory)/command") }.map(\.payload)
    }

    /// The shareable configuration data of the binary starts so far.
    func starts(of accessory: String = "lamp") -> [[UInt8]] { commands(to: accessory).filter { $0.first == 0x0B } }

    /// Waits for so many binary starts.
    func waitForStarts(_ count: Int, of accessory: String = "lamp") throws {
        _ = Waiting.until { starts(of: accessory).count >= count }
        try #require(starts(of: accessory).count >= count, "\(bridge.log)")
    }

    func news(of accessory: String = "lamp") throws -> [SessionNews] {
        try consumer.messages.filter { $0.topic == topic("accessory/\(accessory)/event") }.map { try $0.decoded() }
    }

    /// Waits for an event of this summary.
    func waitForNews(_ summary: String, of accessory: String = "lamp") throws {
        _ = Waiting.until { (try? news(of: accessory).contains { $0.summary == summary }) ?? false }
        let all = try news(of: accessory).map(\.summary)
        try #require(all.contains(summary), "\(all)\n\(bridge.log)")
    }

    /// What an accessory that writes JSON was told so far.
    func spoken(to accessory: String = "lamp") throws -> [SpokenCommand] {
        try consumer.messages.filter { $0.topic == topic("accessory/\(accessory)/command") }.map { try $0.decoded() }
    }

    /// Every session told of an accessory, oldest first.
    func sessions(of accessory: String = "lamp") throws -> [SessionTopic] {
        try consumer.messages.filter { $0.topic == topic("accessory/\(accessory)/session") }.map { try $0.decoded() }
    }

    /// The newest session told of an accessory.
    func session(of accessory: String = "lamp") throws -> SessionTopic? {
        try consumer.messages.last { $0.topic == topic("accessory/\(accessory)/session") }?.decoded()
    }

    func waitForSession(_ state: String, of accessory: String = "lamp") throws {
        _ = Waiting.until { (try? session(of: accessory))??.state == state }
        #expect(try session(of: accessory)?.state == state, "\(bridge.log)")
    }

    /// Asks something of a session and waits for the answer.
    func ask(_ command: String, _ body: String) throws -> SessionAnswer {
        let wanted = topic("bridge/response/accessory/\(command)")
        let count = consumer.messages.count { $0.topic == wanted }
        try source.publish(topic("bridge/request/accessory/\(command)"), body)
        _ = Waiting.until { consumer.messages.count { $0.topic == wanted } > count }
        return try #require(consumer.messages.last { $0.topic == wanted }, "\(bridge.log)").decoded()
    }

    /// Brings an accessory to ranging and waits until that is told.
    func range(_ accessory: String = "lamp") throws {
        try configure(accessory)
        try waitForStarts(1, of: accessory)
        try report(5, for: 0.3, of: accessory)
        try waitForSession("ranging", of: accessory)
    }
}
