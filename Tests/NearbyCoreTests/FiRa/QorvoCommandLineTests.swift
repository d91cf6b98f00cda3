// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct QorvoCommandLineTests {
    @Test("An accessory that begins has a radio that answers")
    func responder() throws {
        #expect(
            try QorvoCommandLine.start(FiRaFixtures.captured())
                == "RESPF -CHAN=9 -PRFSET=BPRF4 -PCODE=11 -SLOT=3600 -BLOCK=180 -ROUND=6 -RRU=DSTWR -ID=20303 "
                + "-VUPPER=1b:af:75:65:52:38:00:4c -ADDR=37336 -PADDR=55057"
        )
    }

    @Test("An accessory that answers has a radio that begins, hopping if the run does")
    func initiator() throws {
        var session = try FiRaFixtures.captured(AccessoryFixtures.a6WithHeader, AccessoryFixtures.s20)
        // The vector is contention-based and has an id that no line can hold.
        session.roundControl = 3
        session.sessionID = 1
        #expect(
            try QorvoCommandLine.start(session)
                == "INITF -CHAN=5 -PRFSET=BPRF4 -PCODE=10 -SLOT=2400 -BLOCK=400 -ROUND=25 -RRU=DSTWR -ID=1 "
                + "-VUPPER=01:02:03:04:05:06:00:4c -HOP -ADDR=8192 -PADDR=43690"
        )
    }

    @Test("What the firmware would refuse is not written")
    func refusals() throws {
        func refusal(_ change: (inout FiRaSession) -> Void) throws -> QorvoCommandLine.Refusal? {
            var session = try FiRaFixtures.captured()
            change(&session)
            do throws(QorvoCommandLine.Refusal) {
                _ = try QorvoCommandLine.start(session)
                return nil
            } catch {
                return error
            }
        }
        #expect(try refusal { $0.channel = 8 } == .channel(8))
        #expect(try refusal { $0.channel = 5 } == nil)
        #expect(try refusal { $0.preamble = 25 } == .preamble(25))
        #expect(try refusal { $0.slotDuration = 12_001 } == .slotDuration(12_001))
        #expect(try refusal { $0.slotDuration = 12_000 } == nil)
        #expect(try refusal { $0.interval = 99 } == .interval(99))
        #expect(try refusal { $0.interval = 774 } == .interval(774))
        #expect(try refusal { $0.interval = 500 } == nil)
        #expect(try refusal { $0.sessionID = 0 } == .sessionID(0))
        #expect(try refusal { $0.sessionID = 0x8000_0000 } == .sessionID(0x8000_0000))
        #expect(try refusal { $0.sessionID = 0x7FFF_FFFF } == nil)
        #expect(try refusal { $0.roundControl = 6 } == .roundControl(6))
    }
}
