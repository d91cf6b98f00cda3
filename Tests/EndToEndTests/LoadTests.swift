// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct LoadTests {
    /// Runs simulated accessories and compares what came in with what was sent, and the memory meanwhile.
    private func run(_ site: Site, accessories: Int, seconds: Int, settle: Int) throws {
        let simulation = try BridgeProcess(
            ["simulate", "--accessories", "\(accessories)", "--rate", "10", "--duration", "\(seconds)s"]
                + ["--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=\(site.broker.port)"]
        )
        Waiting.sleep(milliseconds: UInt32(settle * 1000))
        let early = try #require(site.bridge.residentKibibytes)
        let ending = simulation.wait(.seconds(Int64(seconds * 4 + 60)))
        try #require(ending == .exited(status: 0), "\(simulation.log)")
        let late = try #require(site.bridge.residentKibibytes)
        let published = try #require(simulation.output.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        var health = try site.health()
        _ = Waiting.until(.seconds(60)) {
            Waiting.sleep(milliseconds: 200)
            health = (try? site.health()) ?? health
            return health.reports >= published
        }
        print(
            "\(accessories) accessories at 10 Hz for \(seconds) s: published \(published), received \(health.reports), "
                + "events \(health.events), memory \(early) KiB after \(settle) s, \(late) KiB at the end, "
                + "stalls \(health.stalls), dropped \(health.dropped.filter { $0.value > 0 })"
        )
        #expect(published > accessories * seconds * 8)
        #expect(health.reports == published)
        #expect(health.accessories == accessories)
        #expect(health.dropped.values.allSatisfy { $0 == 0 })
        #expect(Double(late) < 1.1 * Double(early), "memory grows")
    }

    @Test("200 accessories at 10 Hz: nothing is lost and memory stays flat")
    func small() throws {
        try run(try Site(listeningTo: "bridge/#"), accessories: 200, seconds: 10, settle: 4)
    }

    @Test(
        "1000 accessories at 10 Hz for a minute",
        .enabled(if: ProcessInfo.processInfo.environment["NEARBY_LOAD"] == "1", "set NEARBY_LOAD=1")
    )
    func large() throws {
        try run(try Site(listeningTo: "bridge/#"), accessories: 1000, seconds: 60, settle: 15)
    }
}
