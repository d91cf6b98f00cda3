// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A bridge that dies anywhere in a turn, between any two messages.
///
/// Whoever listens and ignores what it has seen already sees the walk as it was: every event once, in order, without a
/// gap.
@Suite(.onItsOwnThread)
struct FaultPointTests {
    private static let places = ["effects_performed", "handed_over", "committed", "written"]
    /// From the first of the two events until both are told and acknowledged.
    private static let passes = 1...8

    @Test("A bridge that dies anywhere repeats an event or has not sent it, and invents none", arguments: places)
    func dies(_ place: String) throws {
        let site = try Site(keepingState: true)
        site.bridge.stop()
        var deaths = 0
        for pass in Self.passes {
            let lamp = "lamp-\(pass)"
            // It dies coming near, and its next life going away; the third sees it out.
            for distance in [1.0, 4.0] {
                try site.restartBridge(toDieAt: "\(place):\(pass)")
                for _ in 0..<60 where site.bridge.isRunning {
                    try site.report(distance, of: lamp)
                    Waiting.sleep(milliseconds: 50)
                }
                deaths += site.bridge.isRunning ? 0 : 1
                site.bridge.kill()
                if distance < 2 { try seeIt(come: lamp, on: site) }
            }
            try site.restartBridgeUnseen()
            try walkOn(to: 4, lamp, events: 4, on: site)
            site.bridge.stop()
            try check(site.events(of: lamp), "\(place):\(pass)", on: site)
        }
        // Otherwise nothing was tried.
        #expect(deaths >= 2 * 5, "it died \(deaths) times at \(place)")
    }

    @Test("A bridge that dies twenty times while it comes up believes what it knew", arguments: places)
    func diesComingUp(_ place: String) throws {
        let site = try Site(keepingState: true)
        try site.enterBoth()
        site.bridge.kill()
        for pass in [1, 2, 4, 7, 11] {
            try site.restartBridge(toDieAt: "\(place):\(pass):birth")
            for _ in 0..<60 where site.bridge.isRunning {
                try site.report(1.0)
                Waiting.sleep(milliseconds: 50)
            }
            #expect(!site.bridge.isRunning, "\(place):\(pass)")
            site.bridge.kill()
        }
        try site.restartBridgeUnseen()
        try walkOn(to: 4, "lamp", events: 4, on: site)
        try check(site.events(), place, on: site)
    }

    private func check(_ events: [Event], _ place: String, on site: Site) throws {
        let all = "\(place): \(events.map { "\($0.seq) \($0.summary)" })\n\(site.bridge.log)"
        let fresh = Self.withoutRepetitions(events)
        try #require(
            fresh.map(\.summary) == ["enter near", "enter immediate", "exit immediate left", "exit near left"],
            "\(all)"
        )
        #expect(fresh.map(\.seq) == (0..<4).map { fresh[0].seq + $0 }, "\(all)")
        #expect(fresh.map(\.visit) == [fresh[0].seq, fresh[1].seq, fresh[1].seq, fresh[0].seq], "\(all)")
        // The same number is the same event to the last byte, the time of publishing included.
        for event in events { #expect(fresh.first { $0.seq == event.seq } == event, "\(all)") }
    }

    /// What a consumer that ignores numbers it has seen makes of a stream.
    private static func withoutRepetitions(_ events: [Event]) -> [Event] {
        var last: Int64 = 0
        return events.filter { event in
            guard event.seq > last else { return false }
            last = event.seq
            return true
        }
    }

    /// A bridge that lives sees it come, if no earlier one has told that.
    private func seeIt(come lamp: String, on site: Site) throws {
        try site.restartBridgeUnseen()
        try walkOn(to: 1, lamp, events: 2, on: site)
        site.bridge.kill()
    }

    private func walkOn(to distance: Double, _ lamp: String, events count: Int, on site: Site) throws {
        _ = Waiting.until {
            try? site.report(distance, of: lamp)
            Waiting.sleep(milliseconds: 50)
            return Self.withoutRepetitions(site.events(of: lamp)).count >= count
        }
    }
}
