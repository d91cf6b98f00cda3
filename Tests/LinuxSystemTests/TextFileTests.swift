// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite("A text file")
struct TextFileTests {
    @Test("is read whole", arguments: [0, 1, 16_384, 100_000])
    func whole(_ count: Int) throws {
        let directory = try TemporaryDirectory()
        let text = String(repeating: "x", count: count)
        let path = try directory.write(text, to: "file")
        #expect(try TextFile.read(path, maximumBytes: count) == Array(text.utf8))
    }

    @Test("is not read beyond the bound, endless ones included")
    func bound() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("12345", to: "file")
        let error = #expect(throws: TextFile.Failure.self) { try TextFile.read(path, maximumBytes: 4) }
        #expect(error == .tooLarge(path: path, limit: 4))
        #expect(error?.description == "cannot read \(path): it is larger than 4 bytes")
        #expect(throws: TextFile.Failure.tooLarge(path: "/dev/zero", limit: 1_000_000)) {
            try TextFile.read("/dev/zero", maximumBytes: 1_000_000)
        }
    }

    @Test("says whether it can be opened, and by whom, without being read")
    func permissions() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("x", to: "file")
        #expect(TextFile.fault(path) == nil)
        #expect(!TextFile.isReadableByEveryone(path))
        let changed = unsafe chmod(path, 0o604)
        #expect(changed == 0)
        #expect(TextFile.isReadableByEveryone(path))
        let missing = directory.file("missing")
        #expect(TextFile.fault(missing)?.description == "cannot open \(missing): No such file or directory")
        #expect(!TextFile.isReadableByEveryone(missing))
        // A pipe without a writer does not keep anybody waiting.
        let pipe = directory.file("pipe")
        let made = unsafe mkfifo(pipe, 0o600)
        #expect(made == 0)
        #expect(TextFile.fault(pipe) == nil)
    }

    @Test("that is missing or a directory is an error with its path")
    func missing() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("missing")
        let error = #expect(throws: TextFile.Failure.self) { try TextFile.read(path, maximumBytes: 10) }
        #expect(error?.description == "cannot open \(path): No such file or directory")
        let other = #expect(throws: TextFile.Failure.self) { try TextFile.read(directory.path, maximumBytes: 10) }
        #expect(other == .system(SystemError(operation: "read \(directory.path)", code: EISDIR)))
    }
}
