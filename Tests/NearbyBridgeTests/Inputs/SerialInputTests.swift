// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct SerialInputTests {
    @Test(arguments: [("lec", "lec\r\n"), ("lec\r", "lec\r"), ("\r\r", "\r\r"), ("a\n", "a\n"), ("a\r\n", "a\r\n")])
    func `a line gets an end unless it has one`(_ line: String, _ sent: String) {
        #expect(SerialInput.bytes(of: line) == Array(sent.utf8))
    }
}
