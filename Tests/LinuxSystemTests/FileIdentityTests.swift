// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

struct FileIdentityTests {
    @Test func `a file keeps its identity while it changes, and another in its place has another`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("one", to: "file")
        let identity = try #require(FileIdentity(of: path))
        #expect(FileIdentity(of: path) == identity)
        try directory.write("two", to: "other")
        #expect(FileIdentity(of: directory.file("other")) != identity)
    }

    @Test func `where there is no file there is no identity`() throws {
        #expect(FileIdentity(of: try TemporaryDirectory().file("nothing")) == nil)
        #expect(FileIdentity(of: "") == nil)
    }
}
