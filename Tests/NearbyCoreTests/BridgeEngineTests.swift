// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEngineTests {
    @Test func `the walk of the README makes its four events`() {
        var generator = SystemRandomNumberGenerator()
        var engine = BridgeEngine(options: EngineOptions(), using: &generator)
        var effects = EffectBuffer()
        engine.handle(.subscribed, at: Instant(nanoseconds: 0), into: &effects)
        let id = Array("lamp".utf8)
        for step in 0..<40 {
            let now = Instant(nanoseconds: Int64(step) * 100_000_000)
            let payload = Array((step < 20 ? #"{"distance":1.2}"# : #"{"distance":4}"#).utf8)
            guard let lamp = engine.accessory(id.span, at: now, into: &effects) else { continue }
            engine.handleReport(payload.span, from: lamp, at: now, into: &effects)
        }
        for e in effects.effects { print(e) }
    }
}
