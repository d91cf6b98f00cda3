// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct CalibrateTests {
    private struct Report: Decodable {
        struct Point: Decodable {
            var measurements: Int
            var median: Double
            var interval: Double
            var failed: Int
            var truth: Double

            enum CodingKeys: String, CodingKey {
                case measurements, median, interval, failed
                case truth = "true_distance"
            }
        }

        var distanceOffset: Double
        var distanceScale: Double
        var peer: String?
        var points: [Point]
        var warnings: [String]

        enum CodingKeys: String, CodingKey {
            case peer, points, warnings
            case distanceOffset = "distance_offset"
            case distanceScale = "distance_scale"
        }
    }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func calibrate(_ site: Site, _ more: [String]) throws -> BridgeProcess {
        let broker = ["mqtt.host=127.0.0.1", "mqtt.port=\(site.broker.port)"].flatMap { ["--set", $0] }
        return try BridgeProcess(["calibrate", "--accessory", "lamp"] + broker + more)
    }

    private func report(_ process: BridgeProcess) throws -> Report {
        #expect(process.wait() == .exited(status: 0), "\(process.log)")
        let line = Array(process.output.utf8.dropLast())
        #expect(KeyOrder.isSorted(line), "\(process.output)")
        return try JSONDecoder().decode(Report.self, from: Data(line))
    }

    /// Reports while a command listens, until it ends.
    private func report(_ payload: (Int) -> String, to site: Site, while process: BridgeProcess) throws {
        var step = 0
        while process.isRunning {
            try site.source.publish("nearby/accessory/lamp/report", payload(step), qualityOfService: .atMostOnce)
            step += 1
            Waiting.sleep(milliseconds: 20)
        }
        #expect(step > 10)
    }

    @Test("An accessory that measures too far is corrected by the running bridge, also after a restart")
    func live() throws {
        let site = try Site(keepingState: true)
        try site.report(2.35)
        let process = try calibrate(site, ["--at", "2", "--duration", "2s", "--write"])
        try report({ "{\"distance\":\(2.35 + 0.01 * Double($0 % 3 - 1))}" }, to: site, while: process)
        #expect(process.wait() == .exited(status: 0), "\(process.log)")
        #expect(process.output.contains("    distance_offset: -0.35"), "\(process.output)")
        #expect(!process.output.contains("distance_scale:"), "\(process.output)")
        let answer = try site.consumer.message(on: "nearby/bridge/response/accessory/options").text
        #expect(answer.contains("\"accessories.lamp.distance_offset\":\"-0.35"), "\(answer)")
        #expect(answer.contains("\"status\":\"ok\""))
        func isCorrected() -> Bool {
            Waiting.until {
                try? site.report(2.35)
                Waiting.sleep(milliseconds: 100)
                let raw = (try? site.state().distance) ?? nil
                return raw.map { ($0 - 2).magnitude < 0.03 } ?? false
            }
        }
        #expect(isCorrected())
        site.bridge.stop()
        try site.restartBridge()
        #expect(isCorrected())
    }

    @Test("Without --write the bridge is not told")
    func quiet() throws {
        let site = try Site()
        let process = try calibrate(site, ["--at", "2", "--duration", "1s", "--json"])
        try report(
            { _ in "[{\"distance\":2.35,\"peer\":\"alice\"},{\"status\":\"timeout\",\"peer\":\"alice\"}]" },
            to: site,
            while: process
        )
        let report = try report(process)
        #expect((report.distanceOffset + 0.35).magnitude < 1e-6)
        #expect(report.points.first?.failed ?? 0 > 10)
        #expect(
            report.warnings.contains { $0.contains("50 % of the rounds") || $0.contains("51 %") },
            "\(report.warnings)"
        )
        #expect(!site.consumer.messages.contains { $0.topic.contains("request/") || $0.topic.contains("response/") })
    }

    @Test("The format of the accessory, a named peer and a foreign topic are read as the bridge reads them")
    func formats() throws {
        let site = try Site()
        let mapping = try directory.write(
            """
            mqtt: {host: 127.0.0.1, port: \(site.broker.port)}
            sources: [{topic: "rtls/{accessory}/{peer}", format: json, unit: cm}]
            accessories: {lamp: {distance_scale: 2, peers: {alice: {distance_scale: 1}}}}
            """,
            to: "nearby-bridge.yaml"
        )
        let process = try BridgeProcess(
            ["calibrate", "--accessory", "lamp", "--peer", "alice", "--at", "2", "--duration", "1s", "--json"]
                + ["--config", mapping]
        )
        while process.isRunning {
            try site.source.publish("rtls/lamp/alice", "{\"distance\":235}", qualityOfService: .atMostOnce)
            try site.source.publish("rtls/lamp/bob", "{\"distance\":900}", qualityOfService: .atMostOnce)
            try site.source.publish("rtls/door/alice", "{\"distance\":900}", qualityOfService: .atMostOnce)
            Waiting.sleep(milliseconds: 20)
        }
        let report = try report(process)
        #expect((report.distanceOffset + 0.35).magnitude < 1e-6)
        #expect(report.distanceScale == 1 && report.peer == "alice")
    }

    @Test("Two files give offset and scale, and the lines can be pasted")
    func files() throws {
        func walk(_ truth: Double) throws -> String {
            let lines = (0..<100).map { "\(Double($0) / 10),\((truth - 0.3) / 1.02 + ($0 % 2 == 0 ? 0.01 : -0.01))" }
            let text = "t_s,measured_m\n" + lines.joined(separator: "\n") + "\n"
            return try directory.write(text, to: "at-\(Int(truth)).csv")
        }
        let files = try [walk(1), walk(6)].flatMap { ["--from", $0] }
        let places = ["--at", "1", "--at", "6"]
        let json = try BridgeProcess(["calibrate", "--accessory", "0x12", "--json"] + places + files)
        let report = try report(json)
        #expect((report.distanceScale - 1.02).magnitude < 0.001)
        #expect((report.distanceOffset - 0.3).magnitude < 0.01)
        #expect(report.points.map(\.truth) == [1, 6])
        let text = try BridgeProcess(["calibrate", "--accessory", "0x12", "--peer", "alice"] + places + files)
        #expect(text.wait() == .exited(status: 0), "\(text.log)")
        let lines = text.output.split(separator: "\n").drop { $0 != "accessories:" }
        let pasted = try directory.write(lines.joined(separator: "\n") + "\n", to: "pasted.yaml")
        #expect(lines.count == 6)
        let check = try BridgeProcess(["check", "--config", pasted])
        #expect(check.wait() == .exited(status: 0), "\(check.log)")
    }

    @Test("Nothing to measure is 65, no broker and no bridge 69, a wrong command line 64")
    func failures() throws {
        let site = try Site()
        func why(_ more: [String], _ status: Int32) throws -> String {
            let process = try calibrate(site, more)
            #expect(process.wait() == .exited(status: status), "\(more)")
            #expect(process.output.isEmpty)
            return process.log
        }
        #expect(try why(["--at", "1", "--duration", "500ms"], 65).contains("no report of lamp came"))
        #expect(try why([], 64).contains("--at is missing"))
        #expect(try why(["--at", "1", "--at", "2", "--from", "x"], 64).contains("1 --from for 2 --at"))
        #expect(try why(["--at", "1", "--from", "/does/not/exist"], 65).contains("/does/not/exist"))
        site.bridge.stop()
        #expect(try why(["--at", "1", "--write", "--duration", "1h"], 69).contains("--write needs a running bridge"))
        site.broker.kill()
        #expect(try why(["--at", "1", "--duration", "1h"], 69).contains("connection refused"))
    }
}
