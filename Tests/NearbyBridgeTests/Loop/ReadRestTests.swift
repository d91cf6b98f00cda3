// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

@Suite struct ReadRestTests {
    /// The rests while so many messages a second come, drained every millisecond for a second.
    private func rests(_ rate: Int) -> [Int64] {
        var rest = ReadRest()
        var sent = 0
        return (1...1000).map { step in
            let due = rate * step / 1000
            defer { sent = due }
            return rest.drained(due - sent, at: Int64(step) * 1_000_000)
        }
    }

    @Test(arguments: [0, 100, 1000, 3900])
    func `a bridge that has little to do never rests`(_ rate: Int) {
        #expect(rests(rate).allSatisfy { $0 == 0 })
    }

    @Test(arguments: [5000, 20_000, 100_000])
    func `under load every drain is followed by a rest of less than a millisecond`(_ rate: Int) {
        let rests = rests(rate)
        #expect(rests.dropFirst(20).allSatisfy { $0 == ReadRest.length })
        #expect(ReadRest.length <= 1_000_000)
    }

    @Test func `when the load is over so are the rests`() {
        var rest = ReadRest()
        for step in 1...100 { _ = rest.drained(20, at: Int64(step) * 1_000_000) }
        #expect(rest.drained(20, at: 101_000_000) > 0)
        #expect(rest.drained(0, at: 102_000_000) == 0)
        #expect(rest.drained(1, at: 2_000_000_000) == 0)
    }
}
