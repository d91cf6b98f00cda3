// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct RecordTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func record(_ port: Int, _ more: [String] = []) throws -> BridgeProcess {
        let process = try BridgeProcess(
            ["record", "--output", directory.file("a.jsonl")]
                + ["--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=\(port)"] + more
        )
        _ = Waiting.until { text.contains("\"subscribed\"") || !process.isRunning }
        return process
    }

    private var text: String { directory.text(of: "a.jsonl") }

    @Test("What was recorded is replayed to the very events that happened, of each accessory")
    func replay() throws {
        let site = try Site()
        let record = try record(site.broker.port)
        try site.enterBoth("lamp")
        try site.report(5, for: 2, of: "door")
        try site.report(5, for: 2, of: "lamp")
        _ = site.waitForEvents(4, of: "lamp")
        #expect(record.stop() == .exited(status: 0), "\(record.log)")
        #expect(record.log.contains("recorded "), "\(record.log)")
        #expect(text.hasSuffix("\"type\":\"ended\"}\n"))
        let replay = try BridgeProcess(["replay", directory.file("a.jsonl")])
        #expect(replay.wait() == .exited(status: 0), "\(replay.log)")
        let happened = site.events(of: "lamp").map(\.summary)
        let replayed = replay.output.split(separator: "\n").map { line in
            line.split(separator: " ").dropFirst(3).prefix(2).joined(separator: " ")
        }
        #expect(happened.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == replayed)
        #expect(replayed.count == 4)
    }

    @Test("What a killed recorder has packed is replayed, of a device that speaks UCI")
    func killedRecorder() throws {
        let site = try Site()
        let server = ["--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=\(site.broker.port)"]
        let record = try BridgeProcess(["record", "--output", directory.file("a.jsonl.gz")] + server)
        // More than the head of gzip: the first lines have waited their second.
        #expect(Waiting.until { directory.bytes(of: "a.jsonl.gz").count > 20 })
        let before = directory.bytes(of: "a.jsonl.gz").count
        let simulation = try BridgeProcess(["simulate", "--format", "uci", "--duration", "2s"] + server)
        #expect(simulation.wait() == .exited(status: 0), "\(simulation.log)")
        #expect(Waiting.until { directory.bytes(of: "a.jsonl.gz").count > before + 200 })
        record.kill()
        let replay = try BridgeProcess(["replay", directory.file("a.jsonl.gz")])
        #expect(replay.wait() == .exited(status: 0), "\(replay.log)")
        #expect(replay.log.contains("the gzip file is cut"), "\(replay.log)")
        #expect(try site.retained().contains { $0.key.hasSuffix("accessory/sim-1/state") })
    }

    @Test("Only the accessory that was asked for is kept, and no key material")
    func filter() throws {
        let site = try Site()
        let record = try record(site.broker.port, ["--accessory", "lamp"])
        try site.source.publish("nearby/accessory/lamp/command", #"{"command":"configure_and_start","data":"c0ffee"}"#)
        try site.source.publish("nearby/accessory/lamp/shareable", "c0ffee")
        try site.source.publish("nearby/accessory/door/report", "{}")
        try site.source.publish("nearby/accessory/lamp/message", "\u{02}")
        #expect(Waiting.until { text.contains("/message") })
        record.stop()
        #expect(!text.contains("c0ffee"))
        #expect(text.contains("\"withheld\":"))
        #expect(!text.contains("door"))
        #expect(!text.contains("shareable"))
        #expect(text.contains("\\u0002"))
    }

    @Test("Secrets are kept when asked for, in a file of this user alone")
    func secrets() throws {
        let site = try Site()
        let record = try record(site.broker.port, ["--with-secrets"])
        try site.source.publish("nearby/accessory/lamp/peer/alice/shareable", "c0ffee")
        #expect(Waiting.until { text.contains("c0ffee") })
        record.stop()
    }

    @Test("A file that is there is not touched, unless asked for")
    func existing() throws {
        let broker = try MosquittoProcess()
        try directory.write("precious", to: "a.jsonl")
        let refused = try record(broker.port, ["--duration", "1s"])
        #expect(refused.wait() == .exited(status: 69))
        #expect(refused.log.contains("add --overwrite"), "\(refused.log)")
        #expect(text == "precious")
        let allowed = try record(broker.port, ["--duration", "1s", "--overwrite"])
        #expect(allowed.wait() == .exited(status: 0), "\(allowed.log)")
        #expect(text.hasPrefix("{\"base_topic\":"))
    }

    @Test("A broker that is away for a while leaves a gap, which is told and marked")
    func gap() throws {
        let site = try Site()
        let record = try record(site.broker.port)
        site.broker.kill()
        #expect(Waiting.until { text.contains("\"disconnected\"") })
        try site.broker.restart()
        #expect(Waiting.until { record.log.contains("a gap of ") }, "\(record.log)")
        try site.reconnectClients()
        try site.report(1)
        #expect(Waiting.until { text.contains("/report") })
        #expect(record.stop() == .exited(status: 0))
        #expect(record.log.contains("with 1 gaps"), "\(record.log)")
        let marks = text.split(separator: "\n").filter { $0.contains("\"type\"") && !$0.contains("\"recording\"") }
        #expect(
            marks.map { String($0.split(separator: "\"").last { $0 != "}" } ?? "") } == [
                "subscribed", "disconnected", "subscribed", "ended",
            ]
        )
    }

    @Test("Without a broker a recording that should have ended fails")
    func noBroker() throws {
        let record = try record(1, ["--duration", "1s"])
        #expect(record.wait() == .exited(status: 69))
        #expect(record.log.contains("no broker at 127.0.0.1:1"), "\(record.log)")
    }
}
