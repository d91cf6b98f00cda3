// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

/// People, groups and nearest accessories over a real broker.
@Suite(.onItsOwnThread)
struct OccupancyTests {
    /// An event of a group as a consumer reads it.
    private struct GroupEvent: Decodable {
        var id: String
        var seq: Int64
        var type: String
        var group: String
        var zone: String?
        var visit: Int64?
        var reason: String?
        var accessory: String?
        var peer: String?
        var from: String?
        var to: String?

        var summary: String {
            switch type {
            case "zone_enter": "enter \(zone ?? "")"
            case "zone_exit": "exit \(zone ?? "") \(reason ?? "")"
            default: "\(peer ?? "") \(from ?? "none") to \(to ?? "none")"
            }
        }
    }

    private static let settings = [
        "groups.house={accessories: [lamp, fan], nearest: {hold: 500ms}}",
        "people.ann={peers: [phone, watch]}",
    ]

    private func groupEvents(_ site: Site) -> [GroupEvent] {
        site.consumer.messages.filter { $0.topic == "nearby/group/house/event" }.compactMap { try? $0.decoded() }
    }

    private func waitForGroupEvents(_ count: Int, _ site: Site) -> [GroupEvent] {
        _ = Waiting.until { groupEvents(site).count >= count }
        Waiting.sleep(milliseconds: 600)
        return groupEvents(site)
    }

    private func report(
        _ site: Site,
        _ reports: [(accessory: String, peer: String, distance: Double)],
        _ seconds: Double
    ) throws {
        for _ in 0..<Int(seconds * 10) {
            for report in reports { try site.report(report.distance, of: report.accessory, peer: report.peer) }
            Waiting.sleep(milliseconds: 100)
        }
    }

    @Test("First in, last out and the nearest accessory survive kill -9; nothing is said twice and nothing is missing")
    func life() throws {
        let site = try Site(set: Self.settings, keepingState: true)
        try report(site, [("lamp", "phone", 1), ("fan", "watch", 4)], 2)
        let before = waitForGroupEvents(3, site)
        #expect(before.map(\.summary) == ["enter near", "enter immediate", "ann none to lamp"], "\(site.bridge.log)")
        #expect(before.map(\.id) == before.map { "group/house:\($0.seq)" })
        let retained = try site.retained()
        #expect(retained["nearby/group/house/zone/near"] == "inside")
        #expect(retained["nearby/accessory/lamp/peer/ann/zone/near"] == "inside")
        #expect(retained["nearby/group/house/peer/ann/nearest"]?.contains(#""accessory":"lamp""#) == true)
        #expect(retained["nearby/group/house/state"]?.contains(#""occupants":["ann"]"#) == true)
        #expect(!retained.keys.contains { $0.hasSuffix("/event") || $0.contains("peer/phone/nearest") })

        site.bridge.kill()
        // The store alone knows it all.
        try site.broker.restart(keepingData: false)
        try site.reconnectClients()
        try site.restartBridge()
        try report(site, [("lamp", "phone", 1), ("fan", "watch", 4)], 2)
        #expect(groupEvents(site).isEmpty, "\(groupEvents(site))")
        let again = try site.retained()
        #expect(again["nearby/group/house/zone/near"] == "inside")
        #expect(again["nearby/group/house/state"]?.contains(#""count":1,"occupants":["ann"]"#) == true)
        #expect(again["nearby/group/house/peer/ann/nearest"]?.contains(#""accessory":"lamp""#) == true)

        try report(site, [("lamp", "phone", 9), ("fan", "watch", 4)], 3)
        let after = waitForGroupEvents(3, site)
        let exits = after.filter { $0.type == "zone_exit" }
        #expect(exits.map(\.summary) == ["exit immediate left", "exit near left"])
        #expect(exits.map(\.visit) == [before[1].seq, before[0].seq])
        #expect(after.contains { $0.summary == "ann lamp to fan" })
        #expect(after.map(\.seq) == (1...3).map { (before.last?.seq ?? 0) + $0 })
        #expect(site.events(peer: "ann").map(\.summary) == ["exit immediate left", "exit near left"])
    }

    @Test("Without a store the broker's copy is enough")
    func brokerKeepsIt() throws {
        let site = try Site(set: Self.settings + ["lost_after=30s"])
        try report(site, [("lamp", "phone", 1)], 2)
        let before = waitForGroupEvents(3, site)
        let isTold = Waiting.until {
            (try? site.retained()["nearby/group/house/state"])?.contains("\(before.last?.seq ?? 0)") == true
        }
        #expect(isTold)
        site.bridge.kill()
        try site.restartBridge()
        try report(site, [("lamp", "phone", 1)], 2)
        #expect(groupEvents(site).isEmpty)
        try report(site, [("lamp", "phone", 9)], 2)
        let exits = waitForGroupEvents(2, site)
        #expect(exits.map(\.summary) == ["exit immediate left", "exit near left"])
        #expect(exits.map(\.visit) == [before[1].seq, before[0].seq])
        #expect(exits.map(\.seq) == (1...2).map { (before.last?.seq ?? 0) + $0 })
    }

    @Test("A group that SIGHUP takes away ends its stay and leaves no topic; purge removes what is left")
    func reload() throws {
        let directory = try TemporaryDirectory()
        let with = "groups: {house: {accessories: [lamp], nearest: {hold: 0s}}}\npeople: {ann: {peers: [phone]}}\n"
        let path = try directory.write(with, to: "bridge.yaml")
        let site = try Site(configuration: path)
        try report(site, [("lamp", "phone", 1)], 2)
        #expect(waitForGroupEvents(3, site).count == 3)
        try directory.write("people: {ann: {peers: [phone]}}\n", to: "bridge.yaml")
        site.bridge.reload()
        try #require(
            Waiting.until { site.bridge.log.contains("groups.house.accessories removed") },
            "\(site.bridge.log)"
        )
        let events = waitForGroupEvents(5, site)
        #expect(events.suffix(2).map(\.summary) == ["exit immediate member_removed", "exit near member_removed"])
        #expect(try !site.retained().keys.contains { $0.hasPrefix("nearby/group/") })
        try directory.write(with, to: "bridge.yaml")
        site.bridge.reload()
        #expect(Waiting.until { (try? site.retained()["nearby/group/house/zone/near"]) == "inside" })
        site.bridge.stop()
        let settings = ["--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=\(site.broker.port)"]
        let purge = try BridgeProcess(["purge"] + settings)
        _ = purge.wait()
        #expect(purge.output.contains("removed nearby/group/house/zone/near"))
        #expect(try site.retained().isEmpty)
    }
}
