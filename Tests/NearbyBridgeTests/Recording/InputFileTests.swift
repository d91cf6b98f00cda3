// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Gzip
import LinuxSystem
import TestSupport
import Testing

@testable import NearbyBridge

struct InputFileTests {
    private func write(_ bytes: [UInt8], _ path: String) throws {
        try OutputFile(path).write(bytes.span)
    }

    @Test func `a bomb and a damaged file end in a sentence`() throws {
        let directory = try TemporaryDirectory()
        let compressor = try GzipCompressor()
        let zeros = [UInt8](repeating: 0, count: 100_000)
        var packed = compressor.compress(zeros.span) + compressor.finish()
        let path = directory.file("a.csv")
        try write(packed, path)
        let bomb = #expect(throws: CommandFailure.self) { try InputFile.read(path, maximumBytes: 50_000) }
        #expect(bomb?.message == "cannot read \(path): it holds more than 50000 bytes when it is unpacked")
        packed[12] ^= 0xFF
        let damaged = directory.file("b.csv")
        try write(packed, damaged)
        let failure = #expect(throws: CommandFailure.self) { try InputFile.read(damaged) }
        #expect(failure?.exitCode == .badData && failure?.message.contains("damaged about byte") == true)
    }

    @Test func `a packed walk is a walk, with its own name`() throws {
        let directory = try TemporaryDirectory()
        let compressor = try GzipCompressor()
        let text = Array("t_s,measured_m\n0,2.5\n".utf8)
        let path = directory.file("walk.csv.gz")
        try write(compressor.compress(text.span) + compressor.finish() + [1], path)
        var warnings = ""
        let bytes = try InputFile.read(path) { warnings += $0 }
        #expect(bytes == text && warnings.contains("is passed over"))
        #expect(try WalkFile(path).walks.map(\.name) == ["walk"])
    }
}
