// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct NearbyErrorTests {
    /// The table and the classes of `reference/nearby-interaction.md` section 6.2.
    @Test(arguments: [
        (-5889, "unsupported_platform", NearbyError.Recovery.never),
        (-5888, "invalid_configuration", .newConfiguration),
        (-5887, "session_failed", .retry),
        (-5886, "resource_usage_timeout", .retry),
        (-5885, "active_sessions_limit_exceeded", .retry),
        (-5884, "user_did_not_allow", .never),
        (-5883, "invalid_ar_configuration", .never),
        (-5882, "accessory_peer_device_unavailable", .retry),
        (-5881, "incompatible_peer_device", .never),
        (-5880, "active_extended_distance_sessions_limit_exceeded", .retry),
    ])
    func `Every number has its word and its recovery`(
        _ code: Int,
        _ word: String,
        _ recovery: NearbyError.Recovery
    ) throws {
        let error = try #require(NearbyError(rawValue: code))
        #expect(error.word == word && error.recovery == recovery)
        #expect(SessionReason.error(error).word == word && SessionReason.error(error).hint == error.hint)
    }

    @Test func `No number is missing and none is added`() {
        #expect(NearbyError.allCases.map(\.rawValue).sorted() == Array(-5889 ... -5880))
        #expect(NearbyError(rawValue: -5890) == nil && NearbyError(rawValue: -5879) == nil)
    }

    @Test func `Every hint is one plain clause`() {
        for error in NearbyError.allCases {
            #expect(error.hint.count > 10 && error.hint.last != "." && !error.hint.contains("\n"), "\(error)")
        }
    }
}
