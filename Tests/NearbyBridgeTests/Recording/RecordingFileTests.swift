// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct RecordingFileTests {
    private let line = Array("{\"distance\":2.31}\n".utf8)

    private func instant(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    private func make(_ path: String) throws -> RecordingFile { try RecordingFile(OutputFile(path)) }

    @Test func `lines are packed if the name says so, and read back whatever the name`() throws {
        let directory = try TemporaryDirectory()
        for name in ["a.jsonl.gz", "a.jsonl"] {
            let file = try make(directory.file(name))
            for index in 0..<1000 { try file.write(line, at: instant(Int64(index))) }
            try file.close()
            var warnings = ""
            let bytes = try InputFile.read(directory.file(name)) { warnings += $0 }
            #expect(bytes == (0..<1000).flatMap { _ in line } && warnings.isEmpty)
            let size = try TextFile.read(directory.file(name), maximumBytes: 1 << 20).count
            #expect((size < bytes.count / 20) == name.hasSuffix(".gz"))
        }
    }

    @Test func `what is older than a second survives the recorder's death`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.gz")
        let file = try make(path)
        var warnings = ""
        func read() throws -> [UInt8] { try InputFile.read(path) { warnings += $0 } }
        try file.write(line, at: instant(0))
        try file.write([], at: instant(900))
        #expect(try read().isEmpty)
        // A quiet turn is enough.
        try file.write([], at: instant(1000))
        #expect(try read() == line)
        try file.write(line, at: instant(1500))
        try file.write(line, at: instant(2499))
        #expect(try read() == line)
        try file.write(line, at: instant(2500))
        #expect(try read() == line + line + line + line)
        #expect(warnings.hasPrefix("\(path): the gzip file is cut; what was whole is used\n"))
    }
}
