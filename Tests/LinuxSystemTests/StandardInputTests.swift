// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LinuxSystem

@Suite("Standard input")
struct StandardInputTests {
    @Test("is read to its end, but not beyond the bound")
    func read() throws {
        var ends: [Int32] = [-1, -1]
        _ = unsafe pipe(&ends)
        let saved = dup(0)
        _ = dup2(ends[0], 0)
        defer {
            _ = dup2(saved, 0)
            _ = close(saved)
            _ = close(ends[0])
        }
        let text: [UInt8] = [0, 10, 255, 65]
        _ = unsafe write(ends[1], text, text.count)
        _ = unsafe write(ends[1], text, text.count)
        _ = close(ends[1])
        #expect(!StandardInput.isTerminal)
        #expect(try StandardInput.read(maximumBytes: 8) == text + text)
        #expect(try StandardInput.read(maximumBytes: 8) == [])
    }

    @Test("has a name in errors")
    func failure() {
        let error = #expect(throws: TextFile.Failure.self) {
            try TextFile.readAll(-1, "standard input", 4)
        }
        #expect(error?.description == "cannot read standard input: Bad file descriptor")
    }
}
