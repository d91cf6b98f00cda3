// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct CodecErrorTests {
    @Test(arguments: [
        (CodecError.Reason.empty, "expected bytes, found nothing"),
        (.headTooShort(expected: 16, actual: 3), "expected at least 16 bytes, found 3"),
        (.unsupportedMajorVersion(2), "expected a known major version, found 2"),
        (
            .wrongLength(version: ConfigurationVersion(1, 1), expected: 21, actual: 20),
            "the length byte says 20, version 1.1 has 21"
        ),
        (.wrongLength(version: nil, expected: 4, actual: 0), "the length byte says 0, expected at least 4"),
        (.neitherHexadecimalNorBase64(offset: 7), "neither hexadecimal nor base64 at byte 7 of the text"),
        (.strayCharacter(offset: 7), "a letter among hexadecimal digits at byte 7 of the text"),
        (.oddDigits(offset: 7), "hexadecimal digits come in pairs, one is missing at byte 7 of the text"),
        (.json(ReportError(.syntax, at: 3)), "broken JSON at byte 3: syntax"),
        (.invalidField(.technology, offset: 5), "at byte 5, technology: expected \"uwb\", \"ble-cs\" or \"dl-tdoa\""),
        (.duplicateField(.name, offset: 5), "at byte 5, name stands there twice"),
        (.missingData, "the JSON has no field data"),
        (.tooLong(most: 1024, actual: 1025), "expected at most 1024 bytes, found 1025"),
        (.invalidField(.identifier, offset: 5), "at byte 5, identifier: expected 1 to 64 of A–Z a–z 0–9 : -"),
    ])
    func `Every reason says what was expected and what was found`(_ reason: CodecError.Reason, _ text: String) {
        for subject in CodecError.Subject.allCases {
            #expect(CodecError(subject, reason).description == "\(subject.name): \(text)")
        }
    }

    @Test func `Every hint follows behind a semicolon`() {
        for hint in CodecError.Hint.allCases {
            let text = CodecError(.message, .empty, hint: hint).description
            #expect(text == "message: expected bytes, found nothing; \(hint.text)")
        }
        for reason in ReportError.Reason.self.allCases {
            #expect(CodecError(.message, .json(ReportError(reason, at: 0))).description.contains("broken JSON"))
        }
    }

    @Test func `Rates and roles have words`() {
        for byte in UInt8.min...UInt8.max {
            let rate = UpdateRate(rawValue: byte)
            #expect(rate.isKnown ? rate.effective == rate : rate.effective == .automatic)
            #expect(!rate.meaning.isEmpty && !RangingRole(rawValue: byte).meaning.isEmpty)
            #expect(RangingRole(rawValue: byte).isTwoWay == (byte < 2))
        }
        #expect(RangingParameters.Country("eu") == nil && RangingParameters.Country("EUR") == nil)
        #expect(RangingParameters.Country(0, 1).text == nil)
    }
}
