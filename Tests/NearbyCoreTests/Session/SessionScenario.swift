// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import NearbyCore

/// A session in virtual time; what it wants done is told in words.
struct SessionScenario {
    var session = AccessorySession()
    var context = AccessorySession.Context(source: .init(), timeouts: .init(), retry: .init())
    var random: SeededGenerator
    /// Seconds since the beginning are `now` less this.
    static let beginning = Instant(nanoseconds: 1_000_000_000_000)
    var now = SessionScenario.beginning
    /// Everything since the beginning.
    private(set) var outputs: [SessionOutput] = []
    /// What must never be, and was.
    private(set) var violations: [String] = []

    init(seed: UInt64 = 1) {
        random = SeededGenerator(seed: seed)
    }

    /// A1, as an accessory sends it.
    static let known = accessory(0xD711)
    /// A1 after a restart of the accessory.
    static let different = accessory(0x1234)

    /// An accessory that would like to range quickly.
    static func accessory(_ address: UInt16) -> AccessoryConfigurationData {
        AccessoryConfigurationData(
            preferredUpdateRate: .userInteractive,
            UWBConfigurationData(layout: .v11, role: .initiator, sourceAddress: ShortAddress(address))
        )
    }

    /// An accessory of a version that nobody knows: A1 with inner major version 3.
    static var unknownVersion: AccessoryConfigurationData? {
        try? .decode(AccessoryFixtures.bytes(AccessoryFixtures.a1, 16, 3).span)
    }

    // MARK: Driving

    /// Sends inputs at once, and says what the session wanted done.
    @discardableResult
    mutating func send(_ inputs: SessionInput...) -> [String] {
        let count = outputs.count
        for input in inputs {
            step { session, now, context, random, outputs in
                session.handle(input, at: now, context, using: &random, into: &outputs)
            }
        }
        return outputs[count...].map(Self.word)
    }

    /// Lets time pass in whole milliseconds, deadline for deadline, and says what the session wanted done.
    @discardableResult
    mutating func wait(_ seconds: Double) -> [String] {
        let count = outputs.count
        let end = now.advanced(by: .milliseconds(Int64((seconds * 1000).rounded())))
        while let due = session.nextDeadline, due <= end {
            now = max(now, due)
            advance()
        }
        now = end
        return outputs[count...].map(Self.word)
    }

    /// Lets time pass until the next deadline, and says what the session wanted done.
    @discardableResult
    mutating func waitForDeadline() -> [String] {
        let count = outputs.count
        guard let due = session.nextDeadline else { return ["none"] }
        now = max(now, due)
        advance()
        return outputs[count...].map(Self.word)
    }

    private mutating func advance() {
        step { session, now, context, random, outputs in
            session.advance(to: now, context, using: &random, into: &outputs)
        }
    }

    private mutating func step(
        _ body: (
            inout AccessorySession, Instant, AccessorySession.Context, inout SeededGenerator, inout [SessionOutput]
        ) -> Void
    ) {
        let before = session
        let count = outputs.count
        body(&session, now, context, &random, &outputs)
        let isPublishedAnew =
            before.state != session.state || before.run != session.run || before.attempt != session.attempt
            || before.reason != session.reason || before.configuration != session.configuration
        if isPublishedAnew, !outputs[count...].contains(.changed) {
            violations.append("\(before.state) became \(session.state) and said nothing")
        }
        if session.run < before.run { violations.append("run \(session.run) after \(before.run)") }
        if session.attempt > context.retry.maximumAttempts { violations.append("attempt \(session.attempt)") }
        if let due = session.nextDeadline, due < now { violations.append("a deadline in the past") }
    }

    // MARK: Looking

    /// Seconds until the deadline, `nil` without one.
    var remaining: Double? { session.nextDeadline.map { now.duration(to: $0) / .seconds(1) } }

    /// All shareable configuration data that was sent.
    var shareable: [ShareableConfigurationData] {
        outputs.compactMap { output in
            guard case .send(.configureAndStart(let data)) = output else { return nil }
            return data
        }
    }

    /// An output in words.
    static func word(_ output: SessionOutput) -> String {
        switch output {
        case .send(.initialize): ">initialize"
        case .send(.configureAndStart): ">start"
        case .send(.stop): ">stop"
        case .ask: ">ask"
        case .exchange: ">exchange"
        case .forgetTokens: "forget"
        case .event(let kind): word(kind)
        case .leaveZones(let reason): "left(\(reason))"
        case .changed: "changed"
        }
    }

    private static func word(_ kind: SessionEvent.Kind) -> String {
        switch kind {
        case .started(let run): "started(\(run))"
        case .ended(let run, let reason): "ended(\(run),\(reason.word))"
        case .timeout(let run, let stage): "timeout(\(run),\(stage.word))"
        case .retry(let attempt, let maximum, _, let rung): "retry(\(attempt)/\(maximum),\(rung))"
        case .suspended(let reason): "suspended(\(reason.word))"
        case .resumed(let reason): "resumed(\(reason.word))"
        case .invalidated(let reason, let code, let isRecoverable):
            "invalidated(\(code.map { "\($0)" } ?? reason.word),\(isRecoverable ? "recoverable" : "final"))"
        case .configurationRequired: "required"
        case .convergence(let convergence): "convergence(\(convergence.status.word))"
        case .authorizationRequired(let reason): "authorize(\(reason.word))"
        case .configurationRejected(let reason, _): "rejected(\(reason))"
        }
    }
}
