// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Gzip

@Suite struct GzipTests {
    private let text = Array(String(repeating: "a line that repeats itself 0123456789\n", count: 5000).utf8)

    private func pack(_ bytes: [UInt8]) throws -> [UInt8] {
        let compressor = try GzipCompressor()
        return compressor.compress(bytes.span) + compressor.finish()
    }

    private func unpack(_ bytes: [UInt8], maximumBytes: Int = 1 << 20) throws -> Gzip.Contents {
        try Gzip.decompress(bytes.span, maximumBytes: maximumBytes)
    }

    @Test("What was packed comes back, and is smaller", arguments: [0, 1, 16_384, 190_000])
    func roundTrip(count: Int) throws {
        let bytes = Array(text.prefix(count))
        let packed = try pack(bytes)
        let isGzip = Gzip.isOne(packed.span)
        #expect(isGzip)
        #expect(try unpack(packed) == Gzip.Contents(bytes: bytes, ending: .whole))
        #expect(count < 100 || packed.count < count / 10)
    }

    @Test("gzip's own file is read")
    func foreignFile() throws {
        // printf 'nearby\n' | gzip -n
        let file: [UInt8] = [
            0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x4B, 0x4D, 0x2C, 0x4A, 0xAA, 0xE4, 0x02, 0, 0x2A, 0x74,
            0xC3, 0x2E, 0x07, 0, 0, 0,
        ]
        #expect(try unpack(file) == Gzip.Contents(bytes: Array("nearby\n".utf8), ending: .whole))
    }

    @Test("What was flushed can be read though the writer was killed after it")
    func killedWriter() throws {
        let compressor = try GzipCompressor()
        let first = Array(text.prefix(1000))
        var file = compressor.compress(first.span) + compressor.flush()
        #expect(try unpack(file) == Gzip.Contents(bytes: first, ending: .cut))
        file += compressor.compress(first.span) + compressor.flush() + compressor.finish()
        #expect(try unpack(file) == Gzip.Contents(bytes: first + first, ending: .whole))
    }

    @Test("A cut file gives a beginning of what was packed, wherever it is cut")
    func cutFile() throws {
        let packed = try pack(text)
        for count in 1..<packed.count {
            let contents = try unpack(Array(packed.prefix(count)))
            #expect(contents.ending == .cut)
            #expect(contents.bytes == Array(text.prefix(contents.bytes.count)))
        }
    }

    @Test("Members follow each other, also when the last is cut")
    func members() throws {
        let packed = try pack(text)
        #expect(try unpack(packed + packed) == Gzip.Contents(bytes: text + text, ending: .whole))
        #expect(try unpack(packed + [0x1F]) == Gzip.Contents(bytes: text, ending: .cut))
        #expect(try unpack(packed + packed.prefix(4)) == Gzip.Contents(bytes: text, ending: .cut))
        #expect(try unpack(packed + [0, 0, 0]).ending == .whole)
        #expect(try unpack(packed + [0]).ending == .whole)
        #expect(try unpack(packed + [1, 2]).ending == .garbage(offset: packed.count))
    }

    @Test("A bomb ends at the limit")
    func bomb() throws {
        let packed = try pack([UInt8](repeating: 0, count: 10_000_000))
        #expect(packed.count < 20_000)
        #expect(throws: GzipError.tooLarge(limit: 1_000_000)) { try unpack(packed, maximumBytes: 1_000_000) }
        let many = try pack(text) + pack(text)
        #expect(throws: GzipError.tooLarge(limit: text.count)) { try unpack(many, maximumBytes: text.count) }
        #expect(try unpack(pack(text), maximumBytes: text.count).bytes == text)
    }

    @Test("Damage is found, wherever it is")
    func damage() throws {
        let packed = try pack(text)
        var isFound = 0
        for place in packed.indices {
            var bytes = packed
            bytes[place] ^= 0x40
            do {
                let contents = try unpack(bytes)
                // Time, flags and system of the head mean nothing to the contents; a name that never ends is a cut.
                #expect(place < 10 || contents.ending == .cut, "\(place)")
            } catch {
                isFound += 1
            }
        }
        #expect(isFound > packed.count / 2)
    }

    @Test("An error says what is wrong")
    func errors() {
        #expect("\(GzipError.damaged(offset: 7))" == "the gzip data is damaged about byte 7")
        #expect("\(GzipError.tooLarge(limit: 9))" == "it holds more than 9 bytes when it is unpacked")
        #expect("\(GzipError.noMemory)" == "no memory is left")
    }
}
