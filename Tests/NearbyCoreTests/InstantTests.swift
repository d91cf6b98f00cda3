// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct InstantTests {
    @Test func `advancing adds and stops at the ends of time`() {
        #expect(Instant(nanoseconds: 5).advanced(by: .nanoseconds(7)).nanoseconds == 12)
        #expect(Instant(nanoseconds: 5).advanced(by: .nanoseconds(-7)).nanoseconds == -2)
        #expect(Instant(nanoseconds: .max - 1).advanced(by: .seconds(1)).nanoseconds == .max)
        #expect(Instant(nanoseconds: .min + 1).advanced(by: .seconds(-1)).nanoseconds == .min)
    }

    @Test func `differences stop at the ends of time`() {
        let early = Instant(nanoseconds: .min)
        let late = Instant(nanoseconds: .max)
        #expect(early.nanoseconds(to: late) == .max)
        #expect(late.nanoseconds(to: early) == .min)
        #expect(Instant(nanoseconds: 3).duration(to: Instant(nanoseconds: 1)) == .nanoseconds(-2))
    }

    @Test func `instants are in the order of their nanoseconds`() {
        #expect(Instant(nanoseconds: -1) < Instant(nanoseconds: 0))
        #expect(!(Instant(nanoseconds: 0) < Instant(nanoseconds: 0)))
    }

    @Test(arguments: [
        (Duration.seconds(2), Int64(2_000_000_000)), (.milliseconds(-1500), -1_500_000_000), (.nanoseconds(1), 1),
        (.zero, 0), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
        (.seconds(9_223_372_036) + .nanoseconds(854_775_807), .max), (.seconds(9_223_372_037), .max),
    ])
    func `whole nanoseconds are exact or held at the bounds`(duration: Duration, expected: Int64) {
        #expect(duration.wholeNanoseconds == expected)
    }
}
