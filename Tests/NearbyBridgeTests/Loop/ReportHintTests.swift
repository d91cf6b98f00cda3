// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct ReportHintTests {
    private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    @Test func `three minutes of silence from everybody are told, once`() {
        var hint = ReportHint()
        var told = [hint.isDue(at: at(1000), hasHeard: false)]
        hint.subscribed(at: at(1000))
        for second in [1179, 1180, 1181] as [Int64] { told.append(hint.isDue(at: at(second), hasHeard: false)) }
        hint.subscribed(at: at(2000))
        told.append(hint.isDue(at: at(9000), hasHeard: false))
        #expect(told == [false, false, true, false, false])
    }

    @Test func `whoever has been heard is no reason for a hint`() {
        var hint = ReportHint()
        hint.subscribed(at: at(0))
        let told = [hint.isDue(at: at(180), hasHeard: true), hint.isDue(at: at(1000), hasHeard: false)]
        #expect(told == [false, false])
    }

    @Test func `time without a connection does not count`() {
        var hint = ReportHint()
        hint.subscribed(at: at(0))
        hint.disconnected()
        var told = [hint.isDue(at: at(500), hasHeard: false)]
        hint.subscribed(at: at(500))
        for second in [679, 680] as [Int64] { told.append(hint.isDue(at: at(second), hasHeard: false)) }
        #expect(told == [false, false, true])
    }
}
