// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct RadioAddressTextTests {
    @Test(arguments: [
        ("dd8800003777", UInt64?(0xDD88_0000_3777)), ("DD:88:00:00:37:77", 0xDD88_0000_3777),
        ("dd-88-00-00-37-77", 0xDD88_0000_3777), ("7CB0D3FFFE0A1B2C", 0x7CB0_D3FF_FE0A_1B2C),
        ("7C:B0:D3:FF:FE:0A:1B:2C", 0x7CB0_D3FF_FE0A_1B2C), ("dd880000377", nil), ("dd88000037gg", nil), ("", nil),
        ("dd:88:00:00:37.77", nil), ("dd:88:00:00:3:777", nil), ("dd88:0000:3777:00", nil), ("iBeacon:4949", nil),
    ])
    func `A hardware address has six or eight bytes`(_ text: String, _ value: UInt64?) {
        let address = RadioAddress(hardware: [UInt8](text.utf8).span)
        #expect(address == value.map { RadioAddress(extended: $0) })
    }
}
