// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// Accessories whose own reports tell positions: DL-TDoA, and whatever locates itself.
@Suite struct BridgeEnginePositionsTests {
    private static func options(_ position: SIMD3<Double>?, isHorizontal: Bool = false) -> EngineOptions {
        .plain {
            var lamp = AccessoryOptions()
            lamp.position = position
            lamp.isHorizontal = isHorizontal
            $0.accessories["lamp"] = lamp
        }
    }

    private static func distance(_ options: EngineOptions, _ position: String) -> Double? {
        var scenario = Scenario(options)
        for step in 0..<5 { scenario.deliver("{\"position\":\(position)}", at: Int64(step) * 100_000_000) }
        scenario.run(to: 0.5)
        return scenario.retained()?.distance
    }

    @Test("The distance is that to where the accessory stands, heights left out where either has none")
    func distances() {
        let high = Self.options([1, 2, 10])
        #expect(Self.distance(high, "[4,6,10]") == 5)
        #expect(Self.distance(high, "[1,2,7]") == 3)
        #expect(Self.distance(high, "[4,6]") == 5)
        let flat = Self.options([1, 2, 0], isHorizontal: true)
        #expect(Self.distance(flat, "[4,6,100]") == 5)
        #expect(Self.distance(flat, "[4,6]") == 5)
    }

    @Test("Zones are as ever, for each peer, with offset and scale")
    func zones() {
        var options = Self.options([0, 0, 0], isHorizontal: true)
        options.accessories["lamp"]?.distanceOffset = -1
        var scenario = Scenario(options)
        for step in 0..<20 {
            let x = step < 10 ? 9 : 3.5
            scenario.deliver(#"{"position":[\#(x),0],"peer":"alice"}"#, at: Int64(step) * 100_000_000)
        }
        scenario.run(to: 2)
        #expect(scenario.story(peer: "alice") == ["enter near"])
        #expect(scenario.story() == ["enter near"])
        #expect(scenario.retained(peer: "alice")?.distance == 2.5)
        #expect(scenario.violations == [])
    }

    @Test("Without a configured position nothing is measured, and the complaint names the key")
    func complaint() {
        var scenario = Scenario(Self.options(nil))
        for step in 0..<5 { scenario.deliver(#"{"position":[4,6]}"#, at: Int64(step) * 100_000_000) }
        scenario.run(to: 1)
        let complaints = scenario.records.compactMap { record -> Complaint.Kind? in
            guard case .complaint(let complaint) = record.effect else { return nil }
            return complaint.kind
        }
        #expect(complaints == [.positionWithoutPlace])
        #expect(scenario.engine.counters.withoutMeasurement == 5)
        #expect(scenario.story() == [])
        // Somebody says where it stands, and it is measured at once.
        scenario.input(.options(Self.options([4, 5, 0], isHorizontal: true)))
        for step in 0..<5 { scenario.deliver(#"{"position":[4,6]}"#, at: 1_500_000_000 + Int64(step) * 100_000_000) }
        scenario.run(to: 2)
        #expect(scenario.story() == ["enter near", "enter immediate"])
    }

    @Test("A position of another format belongs to the one who tells it")
    func otherFormats() {
        var scenario = Scenario(Self.options([0, 0, 0]))
        let text = #"[{"tagId":"7","timestamp":1,"data":{"coordinates":{"x":3000,"y":0,"z":4000}},"success":true}]"#
        for step in 0..<5 {
            scenario.deliver(text.replacing("\":1,", with: "\":\(step),"), at: Int64(step) * 100_000_000)
        }
        scenario.run(to: 1)
        #expect(scenario.engine.state(of: StreamID(accessory: AccessoryIndex(0), peer: 0))?.distance == 5)
        #expect(scenario.retained(peer: "7")?.distance == 5)
    }
}
