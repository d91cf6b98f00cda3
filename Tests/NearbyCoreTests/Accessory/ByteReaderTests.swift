// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct ByteReaderTests {
    @Test func `The lowest byte comes first`() {
        let bytes: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0xFF]
        var offset = 0
        let first = ByteReader.integer(UInt8.self, in: bytes.span, at: &offset)
        let second = ByteReader.integer(UInt16.self, in: bytes.span, at: &offset)
        let third = ByteReader.integer(UInt32.self, in: bytes.span, at: &offset)
        let fourth = ByteReader.integer(Int8.self, in: bytes.span, at: &offset)
        #expect(first == 0x01 && second == 0x0302 && third == 0x0706_0504 && fourth == -1)
        #expect(offset == 8)
        offset = 0
        let whole = ByteReader.integer(UInt64.self, in: bytes.span, at: &offset)
        #expect(whole == 0xFF07_0605_0403_0201)
    }

    @Test(arguments: [0, 1, 6, 7, 8, 9, -1, Int.max, Int.min])
    func `Nothing is read or moved where too few bytes are left`(_ start: Int) {
        let bytes = [UInt8](repeating: 1, count: 8)
        var offset = start
        let value = ByteReader.integer(UInt16.self, in: bytes.span, at: &offset)
        let isInside = 0...6 ~= start
        #expect((value != nil) == isInside)
        #expect(offset == (isInside ? start + 2 : start))
    }

    @Test func `Slices are copied whole or not at all`() {
        let bytes: [UInt8] = [1, 2, 3]
        var offset = 1
        for count in [3, -1, Int.max] {
            let slice = ByteReader.bytes(count, in: bytes.span, at: &offset)
            #expect(slice == nil && offset == 1)
        }
        let slice = ByteReader.bytes(1, in: bytes.span, at: &offset)
        #expect(slice == [2] && offset == 2)
        let rest = ByteReader.rest(of: bytes.span, at: &offset)
        #expect(rest == [3] && offset == 3)
        let nothing = ByteReader.rest(of: bytes.span, at: &offset)
        #expect(nothing == [])
        offset = 4
        let beyond = ByteReader.rest(of: bytes.span, at: &offset)
        #expect(beyond == [] && offset == 4)
    }

    @Test func `What is written is read again`() {
        var writer = ByteWriter(capacity: 3)
        writer.append(UInt16(0x1234))
        writer.append(Int32(-2))
        writer.append([7, 8])
        #expect(writer.bytes == [0x34, 0x12, 0xFE, 0xFF, 0xFF, 0xFF, 7, 8])
        var offset = 2
        let value = ByteReader.integer(Int32.self, in: writer.bytes.span, at: &offset)
        #expect(value == -2)
    }
}
