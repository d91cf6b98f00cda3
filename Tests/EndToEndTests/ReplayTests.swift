// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct ReplayTests {
    private struct Line: Decodable {
        var type: String
        var file: String?
        var t: Double?
        var total: Bool?
        var missed: Int?
        var `false`: Int?
        var `true`: Int?
        var delayP95: Double?

        enum CodingKeys: String, CodingKey {
            case type, file, t, total, missed
            case `false`, `true`
            case delayP95 = "delay_p95"
        }
    }

    private func lines(_ replay: BridgeProcess) throws -> [Line] {
        #expect(replay.wait() == .exited(status: 0), "\(replay.log)")
        return try replay.output.split(separator: "\n").map { line in
            #expect(KeyOrder.isSorted(Array(line.utf8)), "\(line)")
            return try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        }
    }

    @Test("The recorded walks are replayed without a miss and without a false event")
    func truth() throws {
        let paths = FixtureWalk.names.map(FixtureWalk.path)
        let lines = try lines(BridgeProcess(["replay", "--truth", "--json"] + paths))
        let total = try #require(lines.last)
        #expect(total.total == true)
        #expect(total.true == 12)
        #expect(total.missed == 0)
        #expect(total.false == 0)
        #expect(lines.count { $0.type == "accuracy" && $0.file != nil } == 4)
        let events = lines.filter { $0.type.hasPrefix("zone_") }
        #expect(events.count == 12)
        for event in events {
            #expect(paths.contains(event.file ?? ""))
            #expect(try #require(event.t) > 50)
        }
    }

    @Test("All recorded walks together stay within what is promised")
    func all() throws {
        let paths = try FixtureWalk.all()
        let lines = try lines(BridgeProcess(["replay", "--truth", "--json"] + paths))
        let total = try #require(lines.last)
        print(
            "\(paths.count) walks: true \(total.true ?? -1), missed \(total.missed ?? -1), false \(total.false ?? -1)"
        )
        #expect(try #require(total.true) >= 12)
        #expect(try #require(total.missed) <= 2)
        #expect(try #require(total.false) <= 2)
        #expect(try #require(total.delayP95) <= 0.5)
    }

    @Test("Two replays of a walk give the same bytes")
    func repeatable() throws {
        let path = FixtureWalk.path(FixtureWalk.names[0])
        let first = try BridgeProcess(["replay", "--json", path])
        let second = try BridgeProcess(["replay", "--json", path])
        #expect(try lines(first).count == 6)
        #expect(try lines(second).count == 6)
        #expect(first.output == second.output)
    }

    @Test("With --explain each event is followed by what decided it, and the rest stays the same")
    func explain() throws {
        let path = FixtureWalk.path(FixtureWalk.names[0])
        let plain = try BridgeProcess(["replay", path])
        let explained = try BridgeProcess(["replay", "--explain", path])
        #expect(plain.wait() == .exited(status: 0) && explained.wait() == .exited(status: 0), "\(explained.log)")
        let lines = explained.output.split(separator: "\n")
        #expect(lines.filter { !$0.hasPrefix("    ") } == plain.output.split(separator: "\n"))
        #expect(lines.contains("    2.89 m is below 3.00 m"))
        #expect(lines.contains { $0.hasSuffix("passed, smoothed 2.89 m, -1.4 m/s") })
        let json = try BridgeProcess(["replay", "--explain", "--json", path])
        #expect(try self.lines(json).count == 6)
        #expect(json.output.split(separator: "\n").allSatisfy { $0.contains("\"explain\":{\"decision\":{") })
    }

    @Test("The table for people names files and totals")
    func table() throws {
        let replay = try BridgeProcess(["replay", "--truth", FixtureWalk.path(FixtureWalk.names[0])])
        #expect(replay.wait() == .exited(status: 0))
        #expect(replay.output.contains("all zones"))
        #expect(replay.output.contains("los-case3-a12"))
    }
}
