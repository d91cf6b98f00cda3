// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

struct OutputFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ text: String, overwrites: Bool = false, isPrivate: Bool = false) throws {
        let file = try OutputFile(directory.file("a"), overwrites: overwrites, isPrivate: isPrivate)
        try file.write(Array(text.utf8).span)
    }

    @Test("what is written is there at once")
    func writes() throws {
        let file = try OutputFile(directory.file("a"))
        try file.write([0x68].span)
        #expect(directory.text(of: "a") == "h")
        try file.write([0x69].span)
        #expect(directory.text(of: "a") == "hi")
    }

    @Test("a file that is there stays as it is, unless it may be replaced", arguments: [false, true])
    func existing(_ isPrivate: Bool) throws {
        try directory.write("precious", to: "a")
        let error = #expect(throws: SystemError.self) { try write("new", isPrivate: isPrivate) }
        #expect(error?.isExisting == true)
        #expect(directory.text(of: "a") == "precious")
        try write("new", overwrites: true, isPrivate: isPrivate)
        #expect(directory.text(of: "a") == "new")
    }

    @Test("a private file is private, even where a public one was")
    func isPrivate() throws {
        try write("public")
        try write("secret", overwrites: true, isPrivate: true)
        let check = "test \"$(stat -c %a \"$0\")\" = 600"
        #expect(try ChildProcess(["sh", "-c", check, directory.file("a")]).wait() == .exited(status: 0))
    }

    @Test("a full device is an error")
    func full() throws {
        let file = try OutputFile("/dev/full", overwrites: true)
        let error = #expect(throws: SystemError.self) { try file.write([0x68].span) }
        #expect(error?.operation == "write /dev/full")
    }
}
