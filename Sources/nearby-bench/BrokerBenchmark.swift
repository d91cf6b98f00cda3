// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyBridge

/// What a report costs the bridge in all, against a bare subscriber that throws it away.
///
/// Both in turns on the same broker under the same load; processor time by the kernel's accounting.
struct BrokerBenchmark {
    /// What is measured, and how long.
    struct Plan {
        var rate: Int
        var qualityOfService: Int
        var accessories = 1000
        var turns = 5
        var milliseconds = 4000
    }

    /// One turn of one of the two.
    struct Turn {
        /// Nanoseconds of processor time for each report that arrived.
        var nanoseconds: Double
        /// Reports that did not arrive.
        var lost: Int
        /// Reports a second that were sent.
        var rate: Double
    }

    var plan: Plan
    var bare: [Turn] = []
    var bridge: [Turn] = []

    /// One line of JSON, keys sorted.
    var json: String {
        let bareCost = Self.median(bare.map(\.nanoseconds))
        let bridgeCost = Self.median(bridge.map(\.nanoseconds))
        let ratios = zip(bridge, bare).map { $0.nanoseconds / $1.nanoseconds }
        return "{\"accessories\":\(plan.accessories),\"bare_lost\":\(bare.map(\.lost).reduce(0, +)),"
            + "\"bare_us\":\(Self.text(bareCost / 1000)),\"benchmark\":\"broker\","
            + "\"bridge_lost\":\(bridge.map(\.lost).reduce(0, +)),\"bridge_us\":\(Self.text(bridgeCost / 1000)),"
            + "\"qos\":\(plan.qualityOfService),\"rate\":\(Int(Self.median(bridge.map(\.rate)))),"
            + "\"ratio\":\(Self.text(Self.median(ratios))),\"turns\":\(bridge.count)}"
    }

    /// Measures one rate.
    static func result(_ plan: Plan, program: String) throws -> BrokerBenchmark {
        var benchmark = BrokerBenchmark(plan: plan)
        for _ in 0..<plan.turns {
            benchmark.bare.append(try bareTurn(plan))
            benchmark.bridge.append(try bridgeTurn(plan, program))
        }
        return benchmark
    }

    /// The broker's queue for a subscriber that is behind: a burst must not count as loss.
    private static let brokerSettings = ["set_tcp_nodelay true", "max_queued_messages 100000"]

    private static func bareTurn(_ plan: Plan) throws -> Turn {
        let broker = try PrivateBroker(settings: brokerSettings)
        defer { broker.stop() }
        let asker = try BenchClient(port: broker.port, name: "asker")
        try asker.subscribe("nearby-bench/count/out")
        let subscriber = try ChildProcess(
            [BenchSite.ownProgram, "bare-subscriber", "\(broker.port)", "\(plan.qualityOfService)"],
            output: .null,
            error: .inherited
        )
        defer { subscriber.kill() }
        func count() throws -> Int {
            let before = asker.received
            let end = MonotonicClock.now() + 10_000_000_000
            // Asked before it has subscribed, it does not answer.
            while asker.received == before, MonotonicClock.now() < end {
                try asker.publish([], to: "nearby-bench/count/in", isReliable: true)
                try asker.run(nanoseconds: 100_000_000)
            }
            guard let count = Int(asker.lastText) else { throw BenchClient.Failure(text: "no count") }
            return count
        }
        return try turn(plan, broker.port, subscriber.identifier, count: count)
    }

    private static func bridgeTurn(_ plan: Plan, _ program: String) throws -> Turn {
        let site = try BenchSite(
            program: program,
            brokerSettings: brokerSettings,
            settings: ["mqtt.report_qos=\(plan.qualityOfService)", "limits.report_rate=1000000"]
        )
        defer { site.stop() }
        let asker = try BenchClient(port: site.broker.port, name: "asker")
        try asker.subscribe("nearby/bridge/response/health")
        func count() throws -> Int {
            let before = asker.received
            try asker.publish([], to: "nearby/bridge/request/health", isReliable: true)
            try asker.wait("health") { asker.received > before }
            return try asker.number(called: "received")
        }
        return try turn(plan, site.broker.port, site.bridge.identifier, count: count)
    }

    /// One load, and what it cost a process that receives it.
    private static func turn(_ plan: Plan, _ port: Int, _ process: Int32, count: () throws -> Int) throws -> Turn {
        // The first reports find everybody new.
        _ = try load(plan, port, milliseconds: 1000)
        let countBefore = try count()
        guard let before = ProcessTime.nanoseconds(of: process) else { throw BenchClient.Failure(text: "it has ended") }
        let begin = MonotonicClock.now()
        let sent = try load(plan, port, milliseconds: plan.milliseconds)
        let seconds = Double(MonotonicClock.now() - begin) * 1e-9
        var received = try count() - countBefore
        // What the broker still holds for a subscriber that is behind.
        for _ in 0..<20 where received < sent { received = try count() - countBefore }
        guard let after = ProcessTime.nanoseconds(of: process) else { throw BenchClient.Failure(text: "it has ended") }
        return Turn(
            nanoseconds: Double(after - before) / Double(max(1, received)),
            lost: max(0, sent - received),
            rate: Double(sent) / seconds
        )
    }

    private static func load(_ plan: Plan, _ port: Int, milliseconds: Int) throws -> Int {
        let sent = LoadGenerator.run(
            port: port,
            accessories: plan.accessories,
            rate: plan.rate,
            milliseconds: milliseconds,
            qualityOfService: plan.qualityOfService
        )
        guard let sent else { throw BenchClient.Failure(text: "the load generator lost its connection") }
        return sent
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    static func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
