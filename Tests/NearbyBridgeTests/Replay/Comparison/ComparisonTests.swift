// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct ComparisonTests {
    private func pipelines(_ names: String...) -> [any Pipeline] {
        PipelineTable.all(EngineOptions()).filter { names.contains($0.name) }
    }

    private func faults(_ accuracies: [Accuracy]) -> Int {
        accuracies.reduce(0) { $0 + $1.missed + $1.wrong }
    }

    @Test func `the engine's row is what the replay says`() throws {
        let walks = Array(try Walk.recorded().prefix(3))
        let options = EngineOptions()
        let comparison = Comparison(
            walks,
            options,
            pipelines: pipelines("default"),
            conditions: [.recorded],
            radii: [1.5, 3]
        )
        var sums = [Accuracy(), Accuracy()]
        for walk in walks {
            var replay = Replay(options: options, name: walk.name)
            for (zone, row) in ReplayCommand.rows(replay.events(of: walk), walk, walk.name, options).enumerated() {
                sums[zone].add(row.accuracy)
            }
        }
        #expect(comparison.rows[0].accuracies == [sums])
        #expect(comparison.rows[0].sweep == sums)
        #expect(comparison.zones.map(\.name) == ["immediate", "near"])
    }

    @Test func `the default is the only pipeline without a fault as recorded and at lower rates`() throws {
        let comparison = Comparison(
            try Walk.recorded(),
            EngineOptions(),
            pipelines: PipelineTable.all(EngineOptions()).filter { $0.name != "none, gate" },
            conditions: [.recorded, .rate(2), .rate(1)],
            radii: []
        )
        for row in comparison.rows {
            let counts = row.accuracies.map { faults($0) }
            print("\(Column.left(row.name, 18)) faults as recorded, at 2 Hz and at 1 Hz: \(counts)")
            #expect(row.accuracies[0].map(\.total) == [22, 72])
            if row.name == "default" {
                #expect(counts == [0, 0, 0])
            } else {
                #expect(counts.reduce(0, +) > 0, "\(row.name)")
            }
        }
    }

    @Test func `reports that are missing cost the default nothing`() throws {
        let comparison = Comparison(
            try Walk.recorded(),
            EngineOptions(),
            pipelines: pipelines("default", "bare hysteresis"),
            conditions: [.missing(0.2), .holes(20)],
            radii: []
        )
        #expect(faults(comparison.rows[0].accuracies[0]) == 0)
        // Whoever leaves within a second after a hole was not known to be there: no enter, no exit, nothing invented.
        #expect(comparison.rows[0].accuracies[1].allSatisfy { $0.wrong == 0 })
        #expect(faults(comparison.rows[0].accuracies[1]) <= 1)
        #expect(comparison.rows[1].accuracies.allSatisfy { faults($0) > 0 })
        #expect(comparison.rows[0].accuracies[1].reduce(0) { $0 + $1.total } > 50)
    }

    @Test func `over all radii the default is wrong less than once in two hundred transitions`() throws {
        let comparison = Comparison(
            try Walk.recorded(),
            EngineOptions(),
            pipelines: pipelines("default"),
            conditions: []
        )
        var sum = Accuracy()
        for accuracy in comparison.rows[0].sweep { sum.add(accuracy) }
        print("45 radii: true \(sum.total), missed \(sum.missed), false \(sum.wrong), ambiguous \(sum.ambiguous)")
        #expect(comparison.radii.count == 45)
        #expect(sum.total > 5000)
        #expect((sum.missed + sum.wrong) * 200 < sum.total)
        #expect(sum.ambiguous * 40 < sum.total)
    }

    @Test func `more zones than an engine holds make the transitions of each alone`() {
        let walk = Walk.simulated([(0, 15), (15, 0.5), (20, 0.5), (35, 15), (40, 15)], [], seed: 0)
        let zones = Comparison.allRadii.map {
            EngineOptions.NamedZone(name: "r\(Int($0 * 100))", options: ZoneOptions(radius: $0))
        }
        #expect(zones.count > Zone.maximumCount)
        for pipeline in pipelines("default", "bare hysteresis") {
            let together = pipeline.transitions(of: walk, zones: zones)
            #expect(together.count == zones.count)
            #expect(together.allSatisfy { $0.map(\.isEnter) == [true, false] })
            for index in [1, 20, 44] {
                #expect(pipeline.transitions(of: walk, zones: [zones[index]]) == [together[index]])
            }
        }
    }

    @Test func `pipelines have names of their own and a source, the configured one first if it is another`() {
        let table = PipelineTable.all(EngineOptions())
        #expect(Set(table.map(\.name)).count == table.count)
        #expect(table.allSatisfy { !$0.source.isEmpty })
        #expect(table.first?.name == "default")
        var options = EngineOptions()
        options.smoothing = FilterOptions(kind: .ema(alpha: 0.1))
        #expect(PipelineTable.all(options).map(\.name) == ["configured"] + table.map(\.name))
    }

    // MARK: Output

    private func small() throws -> Comparison {
        Comparison(
            Array(try Walk.recorded().prefix(1)),
            EngineOptions(),
            pipelines: pipelines("default", "bare radius"),
            conditions: [.recorded, .rate(5)],
            radii: [2, 4]
        )
    }

    @Test func `the text has a row for each pipeline and condition, the sweep and the sources`() throws {
        var text = ReplayText(showsEvents: false)
        text.comparison(try small())
        let lines = text.text.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("default  ") } == 3)
        #expect(lines.count { $0.hasPrefix("bare radius  ") } == 3)
        #expect(lines.contains { $0.hasPrefix("as recorded") && $0.contains("immediate, 1.50 m") })
        #expect(lines.contains("Radii from 2.00 to 4.00 m, as recorded:"))
        #expect(lines.last?.contains("OwnTracks") == true)
        #expect(!text.text.contains(" \n"))
    }

    @Test func `the lines are objects with sorted keys, one for each pipeline and condition`() throws {
        var json = ReplayJSON(zones: ["near"])
        json.comparison(try small())
        let trial = SimulatedTrial(
            pipelines("bare radius"),
            zone: .init(name: "near", options: ZoneOptions(radius: 3)),
            stands: 1,
            walks: 2
        )
        json.trial(try #require(trial))
        let lines = json.lines.split(separator: UInt8(ascii: "\n")).map { Array($0) }
        #expect(lines.allSatisfy { JSONText.fault($0) == nil })
        let objects = lines.compactMap { JSONText.object($0) }
        let types = objects.map { $0["type"] as? String }
        #expect(
            types == ["comparison", "comparison", "sweep", "comparison", "comparison", "sweep"]
                + ["stand", "stand", "stand", "simulated_walks"]
        )
        #expect(objects[0]["pipeline"] as? String == "default")
        #expect(objects[1]["condition"] as? String == "5 Hz")
        #expect((objects[2]["zones"] as? [Any])?.count == 2)
        #expect((objects[6]["transitions"] as? [Any])?.count == 1)
    }
}
