// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct AdviseTests {
    private struct Report: Decodable {
        struct Advice: Decodable {
            struct Zone: Decodable {
                struct Values: Decodable {
                    var radius: Double
                    var hysteresis: Double
                    var onRadius: Double?

                    enum CodingKeys: String, CodingKey {
                        case radius, hysteresis
                        case onRadius = "false_per_day_on_radius"
                    }
                }

                var zone: String
                var configured: Values
                var suggested: Values
                var reasons: [String: String]
            }

            var accessory: String
            var peer: String?
            var interval: Double
            var noise: Double?
            var distances: Int
            var zones: [Zone]
            var warnings: [String]
        }

        var advice: [Advice]
        var fine: Bool
        var yaml: String
    }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func report(_ process: BridgeProcess) throws -> Report {
        #expect(process.wait() == .exited(status: 0), "\(process.log)")
        let line = Array(process.output.utf8.dropLast())
        #expect(KeyOrder.isSorted(line), "\(process.output)")
        return try JSONDecoder().decode(Report.self, from: Data(line))
    }

    @Test("The recorded walks find the defaults fine")
    func walks() throws {
        let paths = FixtureWalk.names.map(FixtureWalk.path)
        let process = try BridgeProcess(["advise", "--stay", "10m"] + paths)
        #expect(process.wait() == .exited(status: 0), "\(process.log)")
        #expect(process.output.contains("los-case3-a12: 1725 distances"), "\(process.output)")
        #expect(process.output.hasSuffix("The defaults are fine.\n"), "\(process.output)")
        let report = try report(BridgeProcess(["advise", "--stay", "10m", "--json", "--accessory", "lamp"] + paths))
        #expect(report.fine && report.yaml.isEmpty)
        #expect(report.advice.count == 1)
        #expect(try #require(report.advice.first?.noise) < 0.05)
    }

    @Test("What noise needs is suggested, and the lines can be pasted")
    func noisy() throws {
        var generator = SeededGenerator(seed: 3)
        let lines = (0..<1200).map { step in
            "\(Double(step) / 10),\(3 + Double.random(in: -0.4...0.4, using: &generator))"
        }
        let file = try directory.write("t_s,measured_m\n" + lines.joined(separator: "\n") + "\n", to: "noisy.csv")
        let arguments = ["advise", "--stay", "10m", "--set", "smoothing.filter=none", "--accessory", "lamp", file]
        let report = try report(BridgeProcess(arguments + ["--json"]))
        #expect(!report.fine)
        let near = try #require(report.advice.first?.zones.first { $0.zone == "near" })
        #expect(near.suggested.hysteresis > near.configured.hysteresis)
        #expect(try #require(near.configured.onRadius) > 100)
        #expect(try #require(near.suggested.onRadius) <= 2)
        let pasted = try directory.write(report.yaml, to: "pasted.yaml")
        let check = try BridgeProcess(["check", "--config", pasted])
        #expect(check.wait() == .exited(status: 0), "\(check.log)\n\(report.yaml)")
        let again = try self.report(
            BridgeProcess(arguments + ["--json", "--config", pasted])
        )
        #expect(again.fine, "\(again.yaml)")
        #expect(!again.advice.isEmpty)
    }

    @Test("What comes live is studied, each peer for itself, and a recording of it says the same")
    func live() throws {
        let site = try Site()
        let broker = ["mqtt.host=127.0.0.1", "mqtt.port=\(site.broker.port)"].flatMap { ["--set", $0] }
        let record = try BridgeProcess(["record", "--output", directory.file("a.jsonl")] + broker)
        #expect(Waiting.until { directory.text(of: "a.jsonl").contains("\"subscribed\"") })
        let process = try BridgeProcess(["advise", "--duration", "7s", "--stay", "1m", "--json"] + broker)
        var step = 0
        while process.isRunning, step < 400 {
            let distance = 2 + 0.01 * Double(step % 3)
            try site.report(distance, of: "lamp", peer: "alice")
            if step % 2 == 0 { try site.report(distance + 1, of: "lamp", peer: "bob") }
            step += 1
            Waiting.sleep(milliseconds: 25)
        }
        let report = try report(process)
        record.stop()
        #expect(report.advice.map(\.peer) == ["alice", "bob"])
        #expect(report.advice.allSatisfy { $0.accessory == "lamp" && $0.noise != nil && $0.distances > 20 })
        let offline = try self.report(
            BridgeProcess(["advise", "--stay", "1m", "--json", "--peer", "bob", directory.file("a.jsonl")])
        )
        #expect(offline.advice.map(\.peer) == ["bob"])
    }

    @Test("Nothing to study is 65, no broker 69")
    func failures() throws {
        let broker = try MosquittoProcess()
        let address = ["mqtt.host=127.0.0.1", "mqtt.port=\(broker.port)"].flatMap { ["--set", $0] }
        let silent = try BridgeProcess(["advise", "--duration", "300ms"] + address)
        #expect(silent.wait() == .exited(status: 65))
        #expect(silent.log.contains("no report of any accessory came"), "\(silent.log)")
        broker.kill()
        let alone = try BridgeProcess(["advise", "--duration", "1h"] + address)
        #expect(alone.wait() == .exited(status: 69))
        #expect(alone.log.contains("connection refused"), "\(alone.log)")
    }
}
