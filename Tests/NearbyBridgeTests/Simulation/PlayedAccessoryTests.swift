// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct PlayedAccessoryTests {
    private let walk = Walk(
        name: "walk",
        samples: (0..<100).map { Walk.Sample(time: 5 + Double($0) / 10, measured: Double($0), truth: nil) }
    )

    private func reports(_ publications: [PlayedAccessory.Publication]) -> [SimulatedReport] {
        publications.compactMap { if case .report(let report) = $0 { report } else { nil } }
    }

    /// Starts an accessory as a bridge would.
    private func start(_ accessory: inout PlayedAccessory, at time: Double) throws {
        var configuration: AccessoryConfigurationData?
        for case .configuration(let bytes) in accessory.advance(to: time) {
            configuration = try AccessoryConfigurationData.decode(bytes.span)
        }
        var generator = SeededGenerator(seed: 3)
        let known = try #require(configuration)
        let data = try #require(ShareableDataSource().mint(for: known, using: &generator))
        _ = accessory.receive(AccessoryMessage.configureAndStart(data).encoded, at: time)
    }

    @Test func `the walk begins when ranging does, and goes on meanwhile when it is interrupted`() throws {
        let peer = SimulatedAccessory(identifier: "a", walk: walk, startingAt: 0)
        var options = FirmwareOptions()
        options.faults = [.silence(after: 2, lasting: 2)]
        var accessory = PlayedAccessory(peer, options, seed: 1, startingAt: 0.5)
        #expect(accessory.due == 0.5)
        try start(&accessory, at: 20)
        let said = reports(accessory.advance(to: 26))
        let first = try #require(said.first)
        #expect(first.distance == 0)
        #expect(20..<20.4 ~= first.time)
        for report in said {
            #expect(abs(try #require(report.distance) - (report.time - first.time) * 10) <= 1)
        }
        let gaps = zip(said, said.dropFirst()).map { $1.time - $0.time }
        #expect(gaps.count { $0 > 1.5 } == 1)
        #expect(said.map(\.sequence) == Array(0..<Int64(said.count)))
        #expect(accessory.runs == 1)
    }

    @Test func `no measurement is reported twice`() throws {
        let slow = Walk(name: "slow", samples: [0, 1, 2, 3].map { Walk.Sample(time: $0, measured: $0, truth: nil) })
        let peer = SimulatedAccessory(identifier: "a", walk: slow, startingAt: 0)
        var accessory = PlayedAccessory(peer, FirmwareOptions(), seed: 1, startingAt: 0)
        try start(&accessory, at: 1)
        #expect(reports(accessory.advance(to: 6)).map(\.distance) == [0, 1, 2, 3])
    }

    @Test func `without the handshake it reports by itself, whatever it is told`() {
        var accessory = PlayedAccessory(SimulatedAccessory(identifier: "a", walk: walk, startingAt: 0))
        #expect(accessory.due == 5)
        #expect(accessory.receive([0x0A], at: 1).isEmpty)
        #expect(reports(accessory.advance(to: 5.95)).count == 10)
        #expect(!accessory.doesHandshake)
    }

    @Test func `noise loses reports, fails rounds and moves distances`() {
        func distances(_ models: [NoiseModel]) -> [Double?] {
            let peer = SimulatedAccessory(identifier: "a", walk: walk, startingAt: 0)
            var accessory = PlayedAccessory(peer, noise: Noise(models, seed: 1))
            return reports(accessory.advance(to: 10)).map(\.distance)
        }
        let plain = distances([])
        #expect(plain.count > 2 && !plain.contains(nil))
        #expect(distances([.offset(metres: 1)]) == plain.map { $0.map { $0 + 1 } })
        #expect(distances([.failed(share: 1)]) == plain.map { _ in nil })
        #expect(distances([.loss(share: 1)]).isEmpty)
    }
}
