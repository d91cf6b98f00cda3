// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct HexadecimalTests {
    private func decode(_ text: String) -> Result<[UInt8], Hexadecimal.Fault> {
        do throws(Hexadecimal.Fault) {
            return .success(try Hexadecimal.decode([UInt8](text.utf8).span))
        } catch {
            return .failure(error)
        }
    }

    @Test(arguments: [
        "01abff", "01ABFF", "01 ab ff", "01,ab,ff", "01:AB:ff", "01-ab-ff", "01;ab;ff", "0x01ABff", "0X01, 0xab, 0xFF",
        "0x01 0xab\r\n\t0xff ,", "01ab ff", " 0x01abff ",
    ])
    func `Every way that people paste bytes is read`(_ text: String) {
        #expect(decode(text) == .success([1, 0xAB, 0xFF]))
    }

    @Test(arguments: [
        ("0", Hexadecimal.Fault.oddDigits(0)), ("010", .oddDigits(0)), ("01 2 03", .oddDigits(3)),
        ("0x", .oddDigits(0)),
        ("01,0x,02", .oddDigits(3)), ("0x1 0x0", .oddDigits(0)), ("01g0", .unexpectedCharacter(2)),
        ("0100x01", .unexpectedCharacter(4)), ("x01", .unexpectedCharacter(0)), ("01.02", .unexpectedCharacter(2)),
        ("1z", .unexpectedCharacter(1)), ("0x0x01", .unexpectedCharacter(3)), ("ä", .unexpectedCharacter(0)),
    ])
    func `Anything else is a fault at its place`(_ text: String, _ fault: Hexadecimal.Fault) {
        #expect(decode(text) == .failure(fault))
    }

    @Test(arguments: ["", " ", ", ,"])
    func `Nothing is no bytes`(_ text: String) {
        #expect(decode(text) == .success([]))
    }

    @Test func `Every byte is written with two digits and read again`() {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Hexadecimal.text(bytes.span)
        #expect(text.hasPrefix("000102") && text.hasSuffix("feff") && text.utf8.count == 512)
        #expect(decode(text) == .success(bytes))
        #expect(Hexadecimal.text(UInt32(0xABC), digits: 2) == "abc")
        #expect(Hexadecimal.text(UInt32(0xABC), digits: 8) == "00000abc")
    }
}
