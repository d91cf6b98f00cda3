// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

@Suite(.onItsOwnThread)
struct WalkTests {
    /// How the reports of a walk reach the bridge.
    enum Delivery: CaseIterable {
        case atOnce
        case burstsOfFive
        case stallOfTwoSeconds
    }

    /// The stay of los-case3-a12 around second 90, for each way of delivery the same.
    private static let stay = 86.0..<97.0
    private static let truth = ["enter near", "enter immediate", "exit immediate left", "exit near left"]

    @Test("A walk decides the same however its reports are delivered", arguments: Delivery.allCases)
    func delivery(_ delivery: Delivery) throws {
        let site = try Site()
        let samples = try FixtureWalk("los-case3-a12").samples.filter { Self.stay.contains($0.time) }
        let first = try #require(samples.first).time
        let begin = MonotonicClock.now()
        let zero = Double(begin) * 1e-9
        var waiting: [FixtureWalk.Sample] = []
        for sample in samples {
            let left = sample.time - first - Double(MonotonicClock.now() - begin) * 1e-9
            if left > 0 { Waiting.sleep(milliseconds: UInt32(left * 1000)) }
            waiting.append(sample)
            switch delivery {
            case .atOnce: break
            case .burstsOfFive: if waiting.count < 5 { continue }
            case .stallOfTwoSeconds: if (88.5..<90.5).contains(sample.time) { continue }
            }
            for sample in waiting { try report(sample, zero - first, on: site) }
            waiting = []
        }
        for sample in waiting { try report(sample, zero - first, on: site) }
        let events = site.waitForEvents(4)
        #expect(events.map(\.summary) == Self.truth, "\(site.bridge.log)")
        // The times of the decisions differ by the delivery, the distances at which they fell do not.
        let expected = try Self.replayedDistances()
        for (event, distance) in zip(events, expected) {
            #expect(abs(try #require(event.distance) - distance) < 0.05, "\(event.summary) at \(distance)")
        }
        #expect(try site.health().dropped.values.allSatisfy { $0 == 0 })
    }

    private func report(_ sample: FixtureWalk.Sample, _ offset: Double, on site: Site) throws {
        try site.source.publish(
            "nearby/accessory/lamp/report",
            "{\"distance\":\(sample.distance),\"timestamp\":\(sample.time + offset)}",
            qualityOfService: .atMostOnce
        )
    }

    /// What `replay` says of the same stay: the distances of its first four events.
    private static func replayedDistances() throws -> [Double] {
        let replay = try BridgeProcess(["replay", "--json", FixtureWalk.path("los-case3-a12")])
        _ = replay.wait()
        return replay.output.split(separator: "\n").prefix(4).compactMap { line in
            line.split(separator: "\"distance\":").last.flatMap { Double($0.prefix { $0 != "," }) }
        }
    }

    @Test("The first example of the manual works by mosquitto_pub, one process for each report")
    func byHand() throws {
        let site = try Site()
        for distance in [1.2, 4.0] {
            for _ in 0..<20 {
                let command = ["mosquitto_pub", "-h", "127.0.0.1", "-p", "\(site.broker.port)"]
                let message = ["-t", "nearby/accessory/lamp/report", "-m", "{\"distance\":\(distance)}"]
                #expect(try ChildProcess(command + message).wait() == .exited(status: 0))
                Waiting.sleep(milliseconds: 100)
            }
        }
        #expect(site.waitForEvents(4).map(\.summary) == Self.truth)
    }
}
