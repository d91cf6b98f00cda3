// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyBridge
import NearbyCore

/// How long an accessory waits for its shareable configuration data, beside many live sessions.
///
/// From the publication of accessory configuration data to the arrival of `configure_and_start`, against the way of the same
/// bytes through a bare libmosquitto client that publishes whatever comes. Both in turns, over the same broker, while a
/// thousand sessions range.
struct HandshakeBenchmark {
    /// Sessions that range meanwhile; each reports once a second.
    static let sessions = 1000

    private var bridge: [Int64] = []
    private var echo: [Int64] = []

    /// One line of JSON, keys sorted; microseconds.
    var json: String {
        func figure(_ values: [Int64], _ part: Double) -> Double { Self.quantile(values, part) / 1000 }
        func ratio(_ part: Double) -> Double { Self.quantile(bridge, part) / max(1, Self.quantile(echo, part)) }
        func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
        return "{\"benchmark\":\"handshake\",\"bridge_p50_us\":\(text(figure(bridge, 0.5))),"
            + "\"bridge_p99_us\":\(text(figure(bridge, 0.99))),\"echo_p50_us\":\(text(figure(echo, 0.5))),"
            + "\"echo_p99_us\":\(text(figure(echo, 0.99))),\"handshakes\":\(bridge.count),"
            + "\"ratio_p50\":\(text(ratio(0.5))),\"ratio_p99\":\(text(ratio(0.99))),\"sessions\":\(Self.sessions)}"
    }

    /// Measures so many handshakes.
    static func result(turns: Int, program: String) throws -> HandshakeBenchmark {
        let site = try BenchSite(program: program, settings: ["limits.accessories=1000000"])
        defer { site.stop() }
        let echo = try site.bareClient("bare-echo")
        defer { echo.kill() }
        let crowd = try crowd(of: site)
        defer { crowd.kill() }
        let client = try BenchClient(port: site.broker.port, name: "handshake")
        try client.subscribe("nearby/accessory/+/command")
        try client.subscribe("nearby-bench/echo/out")
        var benchmark = HandshakeBenchmark()
        // The first of each opens the way.
        for turn in -20..<turns {
            let configuration = configuration(of: turn)
            let begin = MonotonicClock.now()
            try client.publish(configuration, to: "nearby/accessory/h\(turn)/config", isReliable: true)
            try client.wait("a command") { client.lastTopic == "nearby/accessory/h\(turn)/command" }
            let middle = MonotonicClock.now()
            try client.publish(configuration, to: "nearby-bench/echo/in", isReliable: true)
            try client.wait("an echo") { client.lastTopic == "nearby-bench/echo/out" }
            let end = MonotonicClock.now()
            if turn >= 0 {
                benchmark.bridge.append(middle - begin)
                benchmark.echo.append(end - middle)
            }
            // A run that was never proved would be tried again, and so would many by the end.
            try client.publish([0x03], to: "nearby/accessory/h\(turn)/message", isReliable: true)
            try client.run(nanoseconds: 2_000_000)
        }
        return benchmark
    }

    /// Begins the sessions and has them range until it is killed.
    private static func crowd(of site: BenchSite) throws -> ChildProcess {
        let watcher = try BenchClient(port: site.broker.port, name: "crowd-watcher")
        try watcher.subscribe("nearby/accessory/+/command")
        let crowd = try ChildProcess(
            [BenchSite.ownProgram, "crowd", "\(site.broker.port)", "\(sessions)"],
            output: .null,
            error: .inherited
        )
        try watcher.wait("the sessions") { watcher.received >= sessions }
        return crowd
    }

    /// Sends configuration data for so many accessories, then a report of each once a second, for ever.
    static func runCrowd(port: Int, sessions: Int) throws {
        let client = try BenchClient(port: port, name: "crowd")
        for index in 0..<sessions {
            try client.publish(configuration(of: index), to: "nearby/accessory/c\(index)/config", isReliable: true)
        }
        let report = Array("{\"distance\":5.25}".utf8)
        var next = MonotonicClock.now()
        while true {
            for index in 0..<sessions {
                try client.publish(report, to: "nearby/accessory/c\(index)/report", isReliable: false)
                guard index % 10 == 9 else { continue }
                next += 1_000_000_000 / Int64(max(1, sessions / 10))
                try client.run(nanoseconds: max(0, next - MonotonicClock.now()))
            }
        }
    }

    /// Accessory configuration data of version 1.1, different for each accessory.
    private static func configuration(of index: Int) -> [UInt8] {
        let address = ShortAddress(UInt16(truncatingIfNeeded: index &+ 0x1000))
        return AccessoryConfigurationData(
            preferredUpdateRate: .userInteractive,
            UWBConfigurationData(layout: .v11, role: .initiator, sourceAddress: address)
        ).encoded
    }

    private static func quantile(_ values: [Int64], _ part: Double) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))])
    }
}
