// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

@testable import NearbyBridge

/// An engine, a performer and an outbox together, without a connection.
struct PerformerBench {
    let options: BridgeOptions
    var engine: BridgeEngine
    var performer: EffectPerformer
    var outbox: Outbox
    var buffer = EffectBuffer()
    var now = Instant(nanoseconds: 1_000_000_000)
    let lines = LogLines()

    init(base: String = "nearby", engine engineOptions: EngineOptions = EngineOptions()) throws {
        options = try .plain(base: base, engine: engineOptions)
        var generator = SplitMix64(seed: 1)
        engine = BridgeEngine(options: engineOptions, using: &generator)
        performer = EffectPerformer(options: options, log: lines.log)
        outbox = Outbox(capacity: options.outboxBytes)
        engine.handle(.subscribed, at: now, into: &buffer)
    }

    /// Lets an accessory report a tenth of a second later.
    mutating func report(_ json: String, from accessory: String) {
        now = now.advanced(by: .milliseconds(100))
        let identifier = Array(accessory.utf8)
        guard let index = engine.accessory(identifier.span, at: now, into: &buffer) else { return }
        let payload = Array(json.utf8)
        engine.handleReport(payload.span, from: index, at: now, into: &buffer)
    }

    /// Carries out effects, by default those that the engine made.
    mutating func perform(_ effects: [BridgeEffect]? = nil, isOnline: Bool = true) {
        performer.perform(effects ?? buffer.effects, of: engine, isOnline: isOnline, at: now, into: &outbox)
        buffer.removeAll()
        engine.effectsPerformed()
    }

    /// Takes every message out of the outbox.
    mutating func drain() -> [OutgoingMessage] {
        var messages: [OutgoingMessage] = []
        while let message = outbox.next(at: now) {
            messages.append(message)
            outbox.handedOver(message, as: 1)
            outbox.acknowledged(1)
        }
        return messages
    }

    /// Carries out effects and takes what comes of them.
    mutating func messages(of effects: [BridgeEffect], isOnline: Bool = true) -> [OutgoingMessage] {
        perform(effects, isOnline: isOnline)
        return drain()
    }
}

/// A log whose lines are kept.
final class LogLines: Sendable {
    private let kept = Locked<[String]>([])
    let log: Log

    init(level: LogLevel = .info, format: LogOptions.Format = .text, isJournal: Bool = false) {
        let kept = kept
        var options = LogOptions()
        options.level = level
        options.format = format
        log = Log(options, isJournal: isJournal) { bytes in
            kept.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
        }
    }

    /// Each line as it would have been written.
    var all: [String] { kept.withLock { $0 } }
}

extension OutgoingMessage {
    /// The payload as text.
    var text: String { String(decoding: payload, as: UTF8.self) }
}
