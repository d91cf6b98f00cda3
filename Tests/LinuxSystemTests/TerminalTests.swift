// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LinuxSystem

@Suite("A terminal")
struct TerminalTests {
    @Test("is told from a file")
    func detection() throws {
        let file = unsafe open("/dev/null", O_RDWR)
        defer { _ = close(file) }
        #expect(!Terminal.isTerminal(file))
        #expect(!Terminal.wantsColour(file))
        #expect(Terminal.width(file) == nil)
        let terminal = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        defer { _ = close(terminal) }
        #expect(Terminal.isTerminal(terminal))
        var size = winsize(ws_row: 24, ws_col: 97, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(terminal, UInt(TIOCSWINSZ), &size)
        #expect(Terminal.width(terminal) == 97)
    }

    @Test("gets colours only when it can show them and nobody minds")
    func colour() {
        func wants(_ isTerminal: Bool, _ noColour: String?, _ type: String?) -> Bool {
            Terminal.wantsColour(isTerminal: isTerminal, noColour: noColour, terminalType: type)
        }
        #expect(wants(true, nil, "xterm"))
        #expect(wants(true, "", "xterm"))
        #expect(!wants(true, "1", "xterm"))
        #expect(!wants(true, "0", "xterm"))
        #expect(!wants(true, nil, "dumb"))
        #expect(!wants(true, nil, nil))
        #expect(!wants(false, nil, "xterm"))
    }
}
