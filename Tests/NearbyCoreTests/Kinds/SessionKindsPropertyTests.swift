// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// What holds of sessions without commands for every sequence of inputs.
@Suite struct SessionKindsPropertyTests {
    private func input(_ random: inout SeededGenerator) -> SessionInput {
        let names = ["AA:01", "BB:02"].randomElement(using: &random) ?? ""
        let data = [SessionScenario.known, SessionScenario.different].randomElement(using: &random)
        switch Int.random(in: 0..<24, using: &random) {
        case 0, 1: return .configuration(data ?? SessionScenario.known, isRetained: .random(using: &random))
        case 2: return .didStart
        case 3: return .didStop
        case 4..<9: return .range
        case 9: return .availability(isOnline: .random(using: &random))
        case 10: return .start
        case 11: return .stop
        case 12: return .suspend
        case 13: return .resume
        case 14:
            return .invalidate(
                code: Bool.random(using: &random) ? Int.random(in: -5889 ... -5880, using: &random) : nil
            )
        case 15: return .signal([.ended, .exhausted, .suspended, .resumed].randomElement(using: &random) ?? .ended)
        case 16: return .channelSounding(BluetoothIdentifiers(current: names), isRetained: .random(using: &random))
        case 17: return .paired
        case 18, 19, 20: return .token(isNew: .random(using: &random))
        default: return .sighted
        }
    }

    private static let kinds: [(SessionKind, Bool)] = [(.channelSounding, false), (.uwb, true), (.peer, false)]

    @Test(arguments: kinds.indices, 0..<40)
    func `nothing is ever sent to whoever takes no commands, and every run is proved once`(_ place: Int, _ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var scenario = SessionScenario(seed: UInt64(seed))
        (scenario.session.kind, scenario.session.isBackground) = Self.kinds[place]
        var last: Int64 = 0
        var seen = 0
        for _ in 0..<300 {
            scenario.context.hasBothTokens = .random(using: &random)
            if Int.random(in: 0..<3, using: &random) == 0 {
                scenario.wait(Double.random(in: 0...20, using: &random))
            } else {
                scenario.send(input(&random))
            }
            for output in scenario.outputs[seen...] {
                switch output {
                case .send, .ask: Issue.record("\(SessionScenario.word(output)) with seed \(seed)")
                case .exchange: #expect(scenario.session.kind == .peer && scenario.context.hasBothTokens)
                case .event(.started(let run)):
                    #expect(run > last)
                    last = run
                case .event(.retry): #expect(scenario.session.kind == .peer)
                case .forgetTokens, .event, .leaveZones, .changed: break
                }
            }
            seen = scenario.outputs.count
            let session = scenario.session
            #expect(!session.takesCommands)
            if session.state == .ranging { #expect(session.deadline != nil && session.isProved) }
            let isOver = session.state == .starting && session.isProved
            if session.offeredConfiguration != nil { #expect(session.isBackground && !isOver) }
        }
        #expect(scenario.violations == [])
    }

    /// Three phones and whatever may happen to them.
    @Test(arguments: 0..<40)
    func `a token reaches the one phone that it is for, after that phone has given its own`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var scenario = Scenario(seed: seed)
        let phones = ["ann", "bob", "cid"]
        var given: [String: [UInt8]] = [:]
        var seen = 0
        for step in 0..<250 {
            let from = phones.randomElement(using: &random) ?? ""
            let to = phones.randomElement(using: &random) ?? ""
            switch Int.random(in: 0..<16, using: &random) {
            case 0..<6:
                let token: [UInt8] = [0xFF, UInt8.random(in: 0...3, using: &random)]
                let isRetained = Int.random(in: 0..<5, using: &random) == 0
                scenario.token(token, of: from, for: to, isRetained: isRetained)
                if !isRetained, from != to { given["\(from)>\(to)"] = token }
            case 6: scenario.availability(.random(using: &random), of: from)
            case 7:
                let inputs: [SessionInput] = [
                    .stop, .suspend, .resume, .invalidate(code: nil), .signal(.ended), .start,
                ]
                if scenario.session(of: from, peer: to)?.kind == .peer {
                    scenario.ask(inputs.randomElement(using: &random) ?? .stop, of: from, peer: to)
                }
            case 8: scenario.input(.remove(from, isBlocked: false))
            case 9:
                if Int.random(in: 0..<5, using: &random) == 0 {
                    scenario.restart()
                    scenario.subscribe()
                    given = [:]
                }
            default:
                let now = scenario.now.nanoseconds
                if from != to { scenario.deliver(#"{"distance":2,"peer":"\#(to)"}"#, from: from, at: now + 1) }
                scenario.run(to: Double(now) * 1e-9 + Double.random(in: 0...4, using: &random))
            }
            for record in scenario.records[seen...] {
                guard case .peerToken(let token) = record.effect else { continue }
                #expect(given["\(token.peer)>\(token.accessory)"] == token.token.bytes, "step \(step)")
                #expect(given["\(token.accessory)>\(token.peer)"] != nil, "step \(step)")
            }
            seen = scenario.records.count
        }
        #expect(scenario.violations == [])
        #expect(seen > 0)
    }
}
