// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// What holds for every crowd: groups say what a naive count says, after every turn.
///
/// The count is `GroupChecker`'s; it also holds events against states.
@Suite struct OccupancyPropertyTests {
    private static let accessories = ["a", "b", "c", "d"]
    private static let peers: [String?] = [nil, "p", "q", "phone", "watch", "badge"]

    private func options(_ random: inout SeededGenerator) -> EngineOptions {
        var options = EngineOptions.plain()
        options.lostAfter = .after(.milliseconds(Int64.random(in: 800...4000, using: &random)))
        options.peerForget = .seconds(Int64.random(in: 3...20, using: &random))
        arrange(&options, &random)
        return options
    }

    private func arrange(_ options: inout EngineOptions, _ random: inout SeededGenerator) {
        options.people = [:]
        options.groups = [:]
        let presence = PersonOptions.Presence.allCases.randomElement(using: &random) ?? .any
        if Int.random(in: 0..<4, using: &random) > 0 {
            options.people["ann"] = PersonOptions(peers: ["phone", "watch"], presence: presence)
        }
        if Bool.random(using: &random) { options.people["eve"] = PersonOptions(peers: ["badge"], presence: .all) }
        for name in ["g", "h"] where Int.random(in: 0..<5, using: &random) > 0 {
            let members = Self.accessories.filter { _ in Bool.random(using: &random) }
            let isAll = Int.random(in: 0..<3, using: &random) == 0
            let reach: NearestOptions.Reach =
                [.unlimited, .metres(4), .zone("near")].randomElement(using: &random) ?? .unlimited
            let nearest = NearestOptions(
                margin: Double.random(in: 0...1, using: &random),
                hold: .milliseconds(Int64.random(in: 0...1500, using: &random)),
                reach: reach
            )
            options.groups[name] = GroupOptions(
                members: isAll ? .all : .listed(Set(members)),
                nearest: Bool.random(using: &random) ? nearest : nil
            )
        }
    }

    @Test("Groups, people and nearest accessories contradict nobody, whatever happens", arguments: 0..<30)
    func everything(seed: UInt64) {
        var random = SeededGenerator(seed: 7000 + seed)
        var options = options(&random)
        var scenario = Scenario(options, seed: seed)
        var distances: [String: Double] = [:]
        var time = 0.0
        for _ in 0..<250 {
            time += Double.random(in: 0.02...0.2, using: &random)
            let accessory = Self.accessories.randomElement(using: &random) ?? "a"
            let peer = Self.peers.randomElement(using: &random) ?? nil
            let key = "\(accessory)/\(peer ?? "")"
            let distance = max(0, (distances[key] ?? 3) + Double.random(in: -1.2...1.2, using: &random))
            distances[key] = min(distance, 6)
            switch Int.random(in: 0..<120, using: &random) {
            case 0: time += Double.random(in: 1...8, using: &random)
            case 1: scenario.input(.remove(accessory, isBlocked: false))
            case 2:
                arrange(&options, &random)
                scenario.input(.options(options))
            case 3, 4:
                scenario.restart(options)
                scenario.subscribe()
            case 5: scenario.stall(for: 2)
            case 6:
                scenario.disconnect()
                scenario.run(to: time)
                scenario.subscribe()
            case 7...20: scenario.ask(.stop, of: accessory)
            default: break
            }
            scenario.send(distances[key], at: time, from: accessory, peer: peer)
            scenario.run(to: max(time, Double(scenario.now.nanoseconds) / 1e9))
            time = max(time, Double(scenario.now.nanoseconds) / 1e9)
            expectPeople(scenario, options)
        }
        scenario.run(to: time + 60)
        #expect(scenario.violations == [], "seed \(seed)")
    }

    /// People are where their devices say, and an accessory counts whom nobody carries, and people.
    private func expectPeople(_ scenario: Scenario, _ options: EngineOptions) {
        for index in 0..<scenario.engine.accessoryCount {
            let states = scenario.engine.streams(of: AccessoryIndex(index)).compactMap { scenario.engine.state(of: $0) }
            guard let aggregate = states.first else { continue }
            for zone in aggregate.zones.map(\.name) {
                func isInside(_ state: StreamState?) -> Bool {
                    state?.zones.contains { $0.name == zone && $0.state == .inside } ?? false
                }
                for person in states where person.isPerson {
                    let devices = states.filter { person.devices.contains($0.peer ?? "") }
                    let inside = devices.filter(isInside)
                    switch options.people[person.peer ?? ""]?.presence {
                    case .any: #expect(isInside(person) == !inside.isEmpty)
                    case .all, .nearest: #expect(!isInside(person) || !inside.isEmpty)
                    case nil: Issue.record("a person whom nobody configured")
                    }
                }
                let carried = aggregate.peers.filter { $0.person != nil }.map(\.identifier)
                let counted = states.dropFirst().filter { isInside($0) && !carried.contains($0.peer ?? "") }
                let count = aggregate.zones.first { $0.name == zone }?.count ?? 0
                // At most one more: the peer without a name.
                #expect((counted.count...counted.count + 1).contains(count))
            }
        }
    }

    @Test("Without reports nobody stays anywhere", arguments: 0..<20)
    func emptiesAtTheEnd(seed: UInt64) {
        var random = SeededGenerator(seed: 100 + seed)
        var scenario = Scenario(options(&random), seed: seed)
        for step in 0..<300 {
            let accessory = Self.accessories.randomElement(using: &random) ?? "a"
            let peer = Self.peers.randomElement(using: &random) ?? nil
            let distance = Double.random(in: 0...6, using: &random)
            scenario.send(distance, at: Double(step) * 0.05, from: accessory, peer: peer)
        }
        scenario.run(to: 100)
        for group in scenario.engine.groups {
            for zone in scenario.engine.state(ofGroup: group)?.zones ?? [] {
                #expect(zone.count == 0 && zone.state != .inside && zone.accessories.isEmpty)
            }
            for peer in scenario.engine.peers(ofGroup: group) {
                #expect(scenario.engine.nearest(of: peer, inGroup: group)?.accessory == nil)
            }
        }
        #expect(scenario.violations == [])
    }
}
