// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import Testing

@Suite("A system error")
struct SystemErrorTests {
    @Test("reads as one line")
    func description() {
        let error = SystemError(operation: "open x", code: ENOENT)
        #expect(error.description == "cannot open x: No such file or directory")
        #expect(SystemError.text(of: 99_999).contains("99999"))
    }

    @Test("takes the thread's error number")
    func errorNumber() {
        _ = close(-1)
        #expect(SystemError(operation: "close").code == EBADF)
    }
}
