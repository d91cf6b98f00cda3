// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A checker that finds nothing proves nothing: each fault it is for is shown to it once.
struct PublishedEventCheckerTests {
    private static let truth = ["enter near", "enter immediate", "exit immediate left", "exit near left"]

    private func event(_ sequence: Int, visit: Int? = nil, published: String = "12:00") -> String {
        let step = (sequence - 1) % 4
        let zone = step == 0 || step == 3 ? "near" : "immediate"
        let kind = step < 2 ? "\"type\":\"zone_enter\"" : "\"reason\":\"left\",\"type\":\"zone_exit\""
        let enter = step == 2 ? sequence - 1 : step == 3 ? sequence - 3 : sequence
        return "{\"accessory\":\"lamp\",\"id\":\"lamp:\(sequence)\",\"published_at\":\"\(published)\","
            + "\"seq\":\(sequence),\(kind),\"visit\":\(visit ?? enter),\"zone\":\"\(zone)\"}"
    }

    private func checker(_ events: [(text: String, listener: Int)]) -> PublishedEventChecker {
        var checker = PublishedEventChecker()
        for (text, listener) in events {
            checker.take(
                Array(text.utf8),
                on: "nearby/accessory/lamp/event",
                isRetained: false,
                from: listener
            )
        }
        return checker
    }

    private func isSound(_ checker: PublishedEventChecker) -> Bool {
        checker.violations.isEmpty && checker.wrongVisits.isEmpty && checker.missingNumbers == 0
            && checker.differences(Self.truth, of: "lamp") == (0, 0)
    }

    @Test func `what two listeners got between them, some of it twice, is sound`() {
        let events = [(1, 0), (2, 0), (1, 0), (2, 0), (1, 1), (3, 1), (4, 1), (3, 0), (4, 0)]
        let checker = checker(events.map { (event($0.0), $0.1) })
        #expect(isSound(checker))
        #expect(checker.count == 4)
        #expect(checker.repetitions == 2)
    }

    @Test func `an event that is lost, at the end or within, is found`() {
        let end = checker((1...3).map { (event($0), 0) })
        #expect(end.differences(Self.truth, of: "lamp") == (1, 0))
        let within = checker([1, 2, 4].map { (event($0), 0) })
        #expect(within.differences(Self.truth, of: "lamp") == (1, 0))
        #expect(within.missingNumbers == 1)
    }

    @Test func `an event that did not happen is found`() {
        let checker = checker((1...6).map { (event($0), 0) })
        #expect(checker.differences(Self.truth, of: "lamp") == (0, 2))
    }

    @Test func `one number with two contents is found, whoever got them`() {
        for listener in 0...1 {
            let checker = checker([(event(1), 0), (event(1, published: "12:01"), listener)])
            #expect(checker.violations == ["lamp:1 came with two contents"])
        }
    }

    @Test func `an event that comes after a later one is found`() {
        let checker = checker([1, 3, 2, 4].map { (event($0), 0) })
        #expect(checker.violations == ["lamp:2 after 3"])
    }

    @Test func `an exit of another visit is found`() {
        let checker = checker([(event(1), 0), (event(2), 0), (event(3, visit: 1), 0)])
        #expect(checker.wrongVisits.count == 1)
    }

    @Test func `what is no event of its topic is found`() {
        let texts = ["", "{}", event(1).replacing("lamp:1", with: "lamp:2"), event(1).replacing("lamp", with: "door")]
        for text in texts { #expect(checker([(text, 0)]).violations.count == 1, "\(text)") }
        var retained = PublishedEventChecker()
        retained.take(Array(event(1).utf8), on: "nearby/accessory/lamp/event", isRetained: true, from: 0)
        #expect(retained.violations.count == 1)
    }
}
