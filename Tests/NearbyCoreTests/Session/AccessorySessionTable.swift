// nearby-bridge · SPDX-License-Identifier: Apache-2.0

@testable import NearbyCore

/// What every step does in every state.
///
/// A line without an arrow names where a session stands, and how many seconds it will. The lines below it say for steps
/// where they lead, for how many seconds (`-`: for ever, `~`: ± 20 %), and what the session wants done. Every step that
/// has no line does nothing there.
enum AccessorySessionTable {
    static let text = """
        idle -
            known knownRetained different differentRetained → starting 3 >start changed
            range → external - changed
            online → awaitingConfiguration 0.5 changed
            start → awaitingConfiguration 5 >initialize changed
            offline → idle 5
            invalidate → invalidated - invalidated(requested,final) left(sessionEnded) changed
            invalidConfiguration → invalidated - invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - invalidated(-5884,final) left(sessionEnded) changed
            deadline → idle - none
        ended -
            known different differentRetained → starting 3 >start changed
            range → external - changed
            offline → ended 5
            start → awaitingConfiguration 5 >initialize changed
            invalidate → invalidated - invalidated(requested,final) left(sessionEnded) changed
            invalidConfiguration → invalidated - invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - invalidated(-5884,final) left(sessionEnded) changed
            deadline → ended - none
        invalidated -
            known different differentRetained → starting 3 >start changed
            range → external - changed
            offline → invalidated 5
            start → awaitingConfiguration 5 >initialize changed
            deadline → invalidated - none
        awaitingAuthorization -
            known knownRetained different differentRetained → awaitingAuthorization - changed
            offline → awaitingAuthorization 5
            invalidate → invalidated - invalidated(requested,final) left(sessionEnded) changed
            invalidConfiguration → invalidated - invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - invalidated(-5884,final) left(sessionEnded) changed
            deadline → awaitingAuthorization - none
        external -
            known knownRetained different differentRetained → starting 3 >start changed
            offline → external 5
            start → awaitingConfiguration 2 >stop changed
            invalidate → invalidated - invalidated(requested,final) left(sessionEnded) changed
            invalidConfiguration → invalidated - invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - invalidated(-5884,final) left(sessionEnded) changed
            deadline → external - none
        suspended 60
            different differentRetained → suspended 60 changed
            offline → suspended 5
            start resume → awaitingConfiguration 5 resumed(requested) >initialize changed
            stop → ended - ended(1,requested) left(sessionEnded) changed
            invalidate → invalidated - invalidated(requested,final) left(sessionEnded) changed
            sessionFailed → invalidated - invalidated(-5887,recoverable) left(sessionEnded) changed
            invalidConfiguration → invalidated - invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - invalidated(-5884,final) left(sessionEnded) changed
            peerEnded → ended - ended(1,peer_ended) left(sessionEnded) changed
            deadline → invalidated - invalidated(suspended_too_long,recoverable) changed
        paused 60
            different differentRetained → starting 3 ended(1,new_configuration) left(sessionEnded) changed >start changed
            range peerResumed → ranging 5 resumed(peer_resumed) changed
            offline → suspended 5
            gone → ended - ended(1,accessory_offline) changed
            start resume → awaitingConfiguration 2 resumed(requested) >stop changed
            stop → ended - >stop ended(1,requested) left(sessionEnded) changed
            suspend → suspended 60 >stop suspended(requested) left(suspended) changed
            invalidate → invalidated - >stop invalidated(requested,final) left(sessionEnded) changed
            sessionFailed → retrying ~4 >stop invalidated(-5887,recoverable) left(sessionEnded) retry(4/5,reinitialize) changed
            invalidConfiguration → invalidated - >stop invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - >stop invalidated(-5884,final) left(sessionEnded) changed
            peerEnded → ended - >stop ended(1,peer_ended) left(sessionEnded) changed
            deadline → invalidated - >stop invalidated(suspended_too_long,recoverable) changed
        silent ~1
            different differentRetained → starting 3 ended(1,new_configuration) left(sessionEnded) changed >start changed
            didStop → ended - ended(1,accessory_stopped) left(sessionEnded) changed
            range → ranging 5 changed
            gone → ended - ended(1,accessory_offline) changed
            stop → ended - >stop ended(1,requested) left(sessionEnded) changed
            suspend → suspended 60 >stop suspended(requested) left(suspended) changed
            invalidate → invalidated - >stop invalidated(requested,final) left(sessionEnded) changed
            sessionFailed → retrying ~4 >stop invalidated(-5887,recoverable) left(sessionEnded) retry(4/5,reinitialize) changed
            invalidConfiguration → invalidated - >stop invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - >stop invalidated(-5884,final) left(sessionEnded) changed
            peerEnded → ended - >stop ended(1,peer_ended) left(sessionEnded) changed
            peerSuspended → suspended 60 suspended(peer_suspended) left(suspended) changed
            deadline → starting 3 >start changed
        retrying ~1
            different differentRetained → starting 3 ended(1,new_configuration) left(sessionEnded) changed >start changed
            didStop → ended - ended(1,accessory_stopped) left(sessionEnded) changed
            range → ranging 5 started(1) changed
            gone → ended - ended(1,accessory_offline) changed
            stop → ended - >stop ended(1,requested) left(sessionEnded) changed
            suspend → suspended 60 >stop suspended(requested) left(suspended) changed
            invalidate → invalidated - >stop invalidated(requested,final) left(sessionEnded) changed
            sessionFailed → retrying ~4 >stop invalidated(-5887,recoverable) left(sessionEnded) retry(4/5,reinitialize) changed
            invalidConfiguration → invalidated - >stop invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - >stop invalidated(-5884,final) left(sessionEnded) changed
            peerEnded → ended - >stop ended(1,peer_ended) left(sessionEnded) changed
            peerSuspended → suspended 60 suspended(peer_suspended) left(suspended) changed
            deadline → starting 3 >start changed
        stopping 2
            different differentRetained → starting 3 >start changed
            didStop deadline → awaitingConfiguration 5 >initialize changed
            gone → ended - ended(1,accessory_offline) changed
            stop → ended - >stop ended(1,requested) left(sessionEnded) changed
            suspend → suspended 60 >stop suspended(requested) left(suspended) changed
            invalidate → invalidated - >stop invalidated(requested,final) left(sessionEnded) changed
            sessionFailed → retrying ~4 >stop invalidated(-5887,recoverable) left(sessionEnded) retry(4/5,reinitialize) changed
            invalidConfiguration → invalidated - >stop invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - >stop invalidated(-5884,final) left(sessionEnded) changed
            peerEnded → ended - >stop ended(1,peer_ended) left(sessionEnded) changed
        announcing 0.5
            known knownRetained different differentRetained → starting 3 >start changed
            gone → ended - ended(0,accessory_offline) changed
            stop → ended - >stop ended(0,requested) left(sessionEnded) changed
            suspend → suspended 60 >stop suspended(requested) left(suspended) changed
            invalidate → invalidated - >stop invalidated(requested,final) left(sessionEnded) changed
            sessionFailed → retrying ~4 >stop invalidated(-5887,recoverable) left(sessionEnded) retry(4/5,reinitialize) changed
            invalidConfiguration → invalidated - >stop invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - >stop invalidated(-5884,final) left(sessionEnded) changed
            peerEnded → ended - >stop ended(0,peer_ended) left(sessionEnded) changed
            deadline → awaitingConfiguration 5 >initialize changed
        awaitingConfiguration 5
            known knownRetained different differentRetained → starting 3 >start changed
            gone → ended - ended(0,accessory_offline) changed
            stop → ended - >stop ended(0,requested) left(sessionEnded) changed
            suspend → suspended 60 >stop suspended(requested) left(suspended) changed
            invalidate → invalidated - >stop invalidated(requested,final) left(sessionEnded) changed
            sessionFailed → retrying ~4 >stop invalidated(-5887,recoverable) left(sessionEnded) retry(4/5,reinitialize) changed
            invalidConfiguration → invalidated - >stop invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - >stop invalidated(-5884,final) left(sessionEnded) changed
            peerEnded → ended - >stop ended(0,peer_ended) left(sessionEnded) changed
            deadline → retrying ~4 timeout(0,configuration) retry(4/5,reinitialize) changed
        configuring 5
            different differentRetained → starting 3 ended(1,new_configuration) left(sessionEnded) changed >start changed
            didStop → ended - ended(1,accessory_stopped) left(sessionEnded) changed
            gone → ended - ended(1,accessory_offline) changed
            stop → ended - >stop ended(1,requested) left(sessionEnded) changed
            suspend → suspended 60 >stop suspended(requested) left(suspended) changed
            invalidate → invalidated - >stop invalidated(requested,final) left(sessionEnded) changed
            sessionFailed → retrying ~4 >stop invalidated(-5887,recoverable) left(sessionEnded) retry(4/5,reinitialize) changed
            invalidConfiguration → invalidated - >stop invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - >stop invalidated(-5884,final) left(sessionEnded) changed
            peerEnded → ended - >stop ended(1,peer_ended) left(sessionEnded) changed
            deadline → retrying ~1 timeout(1,shareable) retry(1/5,rerun) changed
        starting 3
            different differentRetained → starting 3 ended(1,new_configuration) left(sessionEnded) changed >start changed
            didStop → ended - ended(1,accessory_stopped) left(sessionEnded) changed
            range → ranging 5 started(1) changed
            gone → ended - ended(1,accessory_offline) changed
            stop → ended - >stop ended(1,requested) left(sessionEnded) changed
            suspend → suspended 60 >stop suspended(requested) left(suspended) changed
            invalidate → invalidated - >stop invalidated(requested,final) left(sessionEnded) changed
            sessionFailed → retrying ~4 >stop invalidated(-5887,recoverable) left(sessionEnded) retry(4/5,reinitialize) changed
            invalidConfiguration → invalidated - >stop invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - >stop invalidated(-5884,final) left(sessionEnded) changed
            peerEnded → ended - >stop ended(1,peer_ended) left(sessionEnded) changed
            exhausted → retrying ~1 timeout(1,start) retry(1/5,rerun) changed
            peerSuspended → suspended 60 suspended(peer_suspended) left(suspended) changed
            deadline → retrying ~1 timeout(1,start) retry(1/5,rerun) changed
        ranging 5
            different differentRetained → starting 3 ended(1,new_configuration) left(sessionEnded) changed >start changed
            didStop → ended - ended(1,accessory_stopped) left(sessionEnded) changed
            gone → ended - ended(1,accessory_offline) changed
            stop → ended - >stop ended(1,requested) left(sessionEnded) changed
            suspend → suspended 60 >stop suspended(requested) left(suspended) changed
            invalidate → invalidated - >stop invalidated(requested,final) left(sessionEnded) changed
            sessionFailed → retrying ~4 >stop invalidated(-5887,recoverable) left(sessionEnded) retry(4/5,reinitialize) changed
            invalidConfiguration → invalidated - >stop invalidated(-5888,recoverable) left(sessionEnded) required changed
            userDidNotAllow → invalidated - >stop invalidated(-5884,final) left(sessionEnded) changed
            peerEnded → ended - >stop ended(1,peer_ended) left(sessionEnded) changed
            exhausted → silent ~1 timeout(1,ranging) retry(1/5,rerun) changed
            peerSuspended → suspended 60 suspended(peer_suspended) left(suspended) changed
            deadline → silent ~1 timeout(1,ranging) retry(1/5,rerun) changed
        """

    /// One cell.
    struct Row: Sendable, CustomStringConvertible {
        var start: AccessorySessionTests.Start
        var step: AccessorySessionTests.Step
        var state: String
        var seconds: String
        var words: [String]

        var description: String { "\(step) while \(start)" }

        /// Whether a time that is left is the one of the table.
        func accepts(_ remaining: Double?) -> Bool {
            guard let remaining else { return seconds == "-" }
            guard seconds.hasPrefix("~") else { return Double(seconds).map { abs($0 - remaining) < 0.01 } == true }
            guard let middle = Double(seconds.dropFirst()) else { return false }
            return middle * 0.8...middle * 1.2 ~= remaining
        }
    }

    /// All cells; one that the text names twice is there twice.
    static let rows: [Row] = {
        var rows: [Row] = []
        for block in blocks {
            var unnamed = AccessorySessionTests.Step.allCases
            for line in block.lines {
                let halves = line.split(separator: "→").map { $0.split(separator: " ").map(String.init) }
                guard halves.count == 2, halves[1].count >= 2 else { continue }
                for name in halves[0] {
                    guard let step = AccessorySessionTests.Step(rawValue: name) else { continue }
                    unnamed.removeAll { $0 == step }
                    let words = Array(halves[1].dropFirst(2))
                    let (state, seconds) = (halves[1][0], halves[1][1])
                    rows.append(Row(start: block.start, step: step, state: state, seconds: seconds, words: words))
                }
            }
            for step in unnamed {
                let state = "\(block.start.state)"
                rows.append(Row(start: block.start, step: step, state: state, seconds: block.seconds, words: []))
            }
        }
        return rows
    }()

    private static let blocks: [(start: AccessorySessionTests.Start, seconds: String, lines: [Substring])] = {
        var blocks: [(start: AccessorySessionTests.Start, seconds: String, lines: [Substring])] = []
        for line in text.split(separator: "\n") {
            let head = line.split(separator: " ")
            if head.count == 2, let start = AccessorySessionTests.Start(rawValue: String(head[0])) {
                blocks.append((start, String(head[1]), []))
            } else if !blocks.isEmpty {
                blocks[blocks.count - 1].lines.append(line)
            }
        }
        return blocks
    }()
}
