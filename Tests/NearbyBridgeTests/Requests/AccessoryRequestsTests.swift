// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

@Suite struct AccessoryRequestsTests {
    private static let now = Instant(nanoseconds: 5_000_000_000)

    private func result(_ command: String, _ body: String) -> AccessoryRequests.Result {
        var options = EngineOptions()
        options.unixMillisecondsAtOrigin = 1_764_000_000_000
        options.people = ["paul": PersonOptions(peers: ["paul-phone"])]
        var generator = SeededGenerator(seed: 1)
        var engine = BridgeEngine(options: options, using: &generator)
        var effects = EffectBuffer()
        engine.handle(.grant("lamp", peer: nil, until: .max), at: Self.now, into: &effects)
        let request = Request(command: command, payload: Array(body.utf8), responseTopic: nil, correlationData: nil)
        return AccessoryRequests.input(of: request, in: engine, at: Self.now)
    }

    @Test func `an approval lets join and range, for good or for a time that the calendar ends`() {
        #expect(
            result("accessory/approve", #"{"accessory":"lamp"}"#)
                == .inputs(.approve("lamp"), .grant("lamp", peer: nil, until: .max))
        )
        #expect(
            result("accessory/approve", #"{"accessory":"lamp","peer":"ann","time":60}"#)
                == .inputs(.approve("lamp"), .grant("lamp", peer: "ann", until: 1_764_000_065_000))
        )
    }

    @Test func `what was allowed can be taken back, and nothing else`() {
        #expect(result("accessory/revoke", #"{"accessory":"lamp"}"#) == .input(.revoke("lamp", peer: nil)))
        #expect(
            result("accessory/revoke", #"{"accessory":"lamp","peer":"ann"}"#)
                == .refused("peer: nobody has allowed \"ann\" at \"lamp\"")
        )
    }

    @Test(arguments: [
        ("accessory/approve", "{}", "accessory"), ("accessory/approve", #"{"accessory":"lamp","time":-1}"#, "time"),
        ("accessory/approve", #"{"accessory":"lamp","time":1.5}"#, "time"),
        ("accessory/approve", #"{"accessory":"lamp","time":999999999999}"#, "time"),
        ("accessory/approve", #"{"accessory":"lamp","peer":"paul"}"#, "peer"),
        ("accessory/approve", #"{"accessory":"lamp","per":"ann"}"#, "per"),
        ("accessory/revoke", #"{"accessory":"shed"}"#, "accessory"), ("permit_join", "{}", "time"),
        ("permit_join", #"{"time":86401}"#, "time"), ("accessory/remove", #"{"accessory":"lamp","blok":true}"#, "blok"),
    ])
    func `an error names the field`(_ command: String, _ body: String, _ field: String) {
        guard case .refused(let text) = result(command, body) else {
            Issue.record("\(command) \(body) is not refused")
            return
        }
        #expect(text.hasPrefix("\(field):"), "\(text)")
    }
}
