// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct BridgeOptionsConfigurationTests {
    @Test(arguments: [
        ("{}", FilterOptions.Kind.standard),
        ("{filter: ema}", .ema(alpha: 0.3)),
        ("{filter: ema, alpha: 0.5}", .ema(alpha: 0.5)),
        ("{filter: ema, time_constant: 300ms}", .timedEMA(timeConstant: .milliseconds(300))),
        ("{filter: median}", .median(window: .milliseconds(700))),
        ("{filter: median, window: 1.5s}", .median(window: .milliseconds(1500))),
        ("{filter: kalman}", .kalman(processNoise: 1, measurementNoise: 0.1)),
        ("{filter: kalman, process_noise: 2}", .kalman(processNoise: 2, measurementNoise: 0.1)),
        ("{filter: kalman, measurement_noise: 0.2}", .kalman(processNoise: 1, measurementNoise: 0.2)),
        ("{filter: one_euro}", .oneEuro(minimumCutoff: 0.5, beta: 1)),
        ("{filter: one_euro, min_cutoff: 2}", .oneEuro(minimumCutoff: 2, beta: 1)),
        ("{filter: one_euro, beta: 0}", .oneEuro(minimumCutoff: 0.5, beta: 0)),
        ("{filter: none}", .none),
    ])
    func `every figure of the smoothing reaches its filter`(_ text: String, _ kind: FilterOptions.Kind) throws {
        let options = EngineOptions(try load("smoothing: \(text)").configuration)
        #expect(options.smoothing == FilterOptions(kind: kind))
    }

    @Test func `the gate may be set for any filter`() throws {
        let loaded = try load("smoothing: {filter: none, gate_speed: 4, gate_slack: 0.5}")
        let expected = FilterOptions(kind: .none, gateSpeed: 4, gateSlack: 0.5)
        #expect(EngineOptions(loaded.configuration).smoothing == expected)
    }

    @Test func `loading nothing gives the engine its own defaults`() throws {
        #expect(EngineOptions(try load("").configuration) == EngineOptions())
    }

    @Test("A peer may be a radio")
    func radio() throws {
        let text = "accessories: {lamp: {peers: {\"0x0001\": {name: gate-1, radio: true}, alice: {}}}}"
        let options = EngineOptions(try load(text).configuration)
        let peers = try #require(options.accessories["lamp"]?.peers)
        #expect(peers["0x0001"]?.isRadio == true && peers["alice"]?.isRadio == false)
    }
}
