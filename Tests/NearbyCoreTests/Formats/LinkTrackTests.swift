// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct LinkTrackTests {
    // MARK: Frames

    private static func bytes(_ text: String) -> [UInt8] {
        (try? Hexadecimal.decode([UInt8](text.utf8).span)) ?? []
    }

    /// The recorded frame of four ranges.
    private let ranges = bytes(
        "55 05 32 00 02 01 f8 11 07 00 6f d0 6e 00 00 00 01 02 5a 13 04 01 00 22 0b 00 b5 9f 01 01 a3 17 00 b6 a0 "
            + "01 02 88 1c 00 aa 9f 01 03 e6 14 00 b8 a0 9a"
    )
    /// The recorded frame with angles.
    private let internet = bytes(
        "6a 00 1d 00 00 4f 00 30 fa db 0b 00 00 01 00 5b 00 2f 12 01 00 a5 f0 3c 03 8f a5 00 8c"
    )

    /// Puts length and sum into a frame.
    private func sealed(_ frame: [UInt8], hasLength: Bool = true) -> [UInt8] {
        var frame = frame
        if hasLength {
            frame[2] = UInt8((frame.count + 1) & 0xFF)
            frame[3] = UInt8((frame.count + 1) >> 8)
        }
        return frame + [frame.reduce(0, &+)]
    }

    private func fixed(_ mark: UInt8, _ count: Int, time: Int, nodes: UInt8? = nil) -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: count)
        (frame[0], frame[1], frame[time], frame[time + 1]) = (0x55, mark, 0xE8, 0x03)
        if let nodes { frame[count - 1] = nodes }
        return frame
    }

    private var tag: [UInt8] {
        var frame = fixed(1, 127, time: 108)
        frame.replaceSubrange(22..<25, with: [0xDC, 0x05, 0])
        frame.replaceSubrange(43..<46, with: [0x9C, 0xFF, 0xFF])
        return sealed(frame, hasLength: false)
    }

    private var anchor: [UInt8] {
        var frame = [UInt8](repeating: 0, count: 896)
        (frame[0], frame[895]) = (0x55, 0xEE)
        for tag in 0..<30 { frame[2 + 27 * tag] = 0xFF }
        return frame
    }

    private func decode(_ payload: [UInt8]) -> JSONDecoding { JSONDecoding(payload, format: .linktrack) }

    private func peers(_ decoding: JSONDecoding) -> [UInt64?] {
        decoding.reports.map { if case .address(let address) = $0.peer { address.value } else { nil } }
    }

    // MARK: What they say

    @Test func `The recorded ranges are read`() {
        let decoding = decode(ranges)
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.distance) == [2.85, 6.051, 7.304, 5.35])
        #expect(decoding.reports.map(\.rssi) == [-79.5, -80, -79.5, -80])
        #expect(peers(decoding) == [0, 1, 2, 3])
        #expect(decoding.reports.allSatisfy { $0.timestamp == 463_352_000_000 })
    }

    @Test func `The recorded angles are read`() {
        let decoding = decode(internet)
        #expect(decoding.errors.isEmpty)
        #expect(decoding.report?.distance == 0.274)
        #expect(decoding.report?.azimuth == -39.31 && decoding.report?.elevation == 8.28)
        #expect(peers(decoding) == [0x2F00_5B00])
        #expect(decoding.report?.rssi == -82.5 && decoding.report?.timestamp == 777_210_000_000)
    }

    @Test func `Frames with records of other sizes are read`() {
        let position = sealed(fixed(4, 119, time: 102, nodes: 1) + [1, 7, 0xE8, 3, 0, 160, 158, 0, 0, 0, 0, 0, 0])
        #expect(decode(position).report?.distance == 1 && peers(decode(position)) == [7])
        #expect(decode(position).report?.rssi == -79 && decode(position).report?.timestamp == 1_000_000_000)
        let angle = sealed(fixed(7, 21, time: 6, nodes: 1) + [2, 9, 0xD0, 7, 0, 0x18, 0xFC, 160, 0, 0, 0])
        #expect(decode(angle).report?.distance == 2 && peers(decode(angle)) == [9])
        #expect(decode(angle).report?.azimuth == -10 && decode(angle).report?.rssi == nil)
        let long = sealed(fixed(8, 24, time: 9, nodes: 1) + [2, 4, 3, 2, 1, 0xD0, 7, 0, 170, 180])
        #expect(decode(long).report?.distance == 2 && peers(decode(long)) == [0x0102_0304])
        #expect(decode(long).report?.rssi == -90 && decode(long).report?.timestamp == 1_000_000_000)
    }

    @Test func `A tag's frame has a place for each of eight anchors`() {
        let decoding = decode(tag)
        #expect(decoding.errors.isEmpty)
        #expect(decoding.reports.map(\.distance) == [1.5, -0.1] && peers(decoding) == [0, 7])
        #expect(decoding.reports.allSatisfy { $0.timestamp == 1_000_000_000 })
    }

    @Test func `The frame's own id and role tell who measured`() {
        func reporters(_ payload: [UInt8]) -> [UInt64?] {
            decode(payload).reports.map { if case .address(let address) = $0.reporter { address.value } else { nil } }
        }
        func roles(_ payload: [UInt8]) -> Set<Bool> { Set(decode(payload).reports.map(\.isReportedByAnchor)) }
        #expect(reporters(ranges) == [1, 1, 1, 1] && roles(ranges) == [false])
        #expect(reporters(internet) == [0x3000_4F00] && roles(internet) == [false])
        var frame = Array(ranges.dropLast())
        (frame[4], frame[5]) = (1, 9)
        #expect(reporters(sealed(frame)) == [9, 9, 9, 9] && roles(sealed(frame)) == [true])
        (frame[4], frame[20]) = (1, 0)
        #expect(reporters(sealed(Array(frame[..<21]))) == [9] && roles(sealed(Array(frame[..<21]))) == [true])
        var own = Array(tag.dropLast())
        (own[2], own[3]) = (7, 2)
        #expect(reporters(sealed(own, hasLength: false)) == [7, 7] && roles(sealed(own, hasLength: false)) == [false])
        var long = fixed(8, 24, time: 9, nodes: 1) + [2, 4, 3, 2, 1, 0xD0, 7, 0, 170, 180]
        long.replaceSubrange(4..<9, with: [1, 5, 0, 0, 1])
        #expect(reporters(sealed(long)) == [0x0100_0005] && roles(sealed(long)) == [true])
    }

    @Test func `Data behind the nodes is passed over`() {
        var frame = Array(internet.dropLast())
        frame[13] = 2
        frame[27] = 3
        frame += [0x55, 5, 7] + Array(internet[14..<28])
        let decoding = decode(sealed(frame))
        #expect(decoding.errors.isEmpty && decoding.reports.map(\.distance) == [0.274, 0.274])
        frame[27] = 2
        #expect(decode(sealed(frame)).reports.isEmpty)
    }

    @Test func `A round without a node is a failure`() {
        for frame in [
            sealed(fixed(5, 21, time: 6, nodes: 0)), sealed(fixed(1, 127, time: 108), hasLength: false),
        ] {
            let decoding = decode(frame)
            #expect(decoding.report?.status == .timeout && decoding.report?.distance == nil)
            #expect(decoding.report?.timestamp == 1_000_000_000)
        }
    }

    @Test func `Frames without distances are skipped by their length`() {
        let others = [2, 3, 6, 9].map { sealed(fixed($0, 40, time: 6)) } + [anchor]
        for other in others {
            let decoding = decode(other + ranges + other + tag + other)
            #expect(decoding.errors.isEmpty && decoding.reports.count == 6)
        }
    }

    @Test func `An angle beyond the circle is none`() {
        var frame = Array(internet.dropLast())
        frame.replaceSubrange(21..<25, with: [0xFF, 0x7F, 0xFF, 0x7F])
        let decoding = decode(sealed(frame))
        #expect(decoding.report?.distance == 0.274)
        #expect(decoding.report?.azimuth == nil && decoding.report?.elevation == nil)
    }

    // MARK: What happens to them

    @Test func `No flipped bit changes a value`() {
        for frame in [ranges, internet, tag] {
            for (offset, payload) in FormatStream.flips(of: frame) {
                let stream = FormatStream([payload], format: .linktrack)
                #expect(stream.reports.isEmpty, "\(offset)")
            }
        }
    }

    @Test func `The frames behind a garbled one are found`() {
        // Enough to end the wait for the longest frame that the garbled one may pass for.
        let rest = [internet] + Array(repeating: ranges, count: 16)
        let expected = rest.flatMap { decode($0).reports }
        for frame in [ranges, internet, tag] {
            for (offset, payload) in FormatStream.flips(of: frame) {
                let decoding = decode(payload + rest.flatMap { $0 })
                #expect(decoding.reports == expected, "\(offset)")
                #expect(decoding.errors.count == 1, "\(offset)")
            }
        }
    }

    @Test func `A frame that lost a byte costs itself only`() {
        for lost in ranges.indices {
            var cut = ranges
            cut.remove(at: lost)
            let stream = FormatStream([cut, internet, ranges, ranges], format: .linktrack)
            #expect(
                stream.reports.suffix(9).map(\.distance) == [0.274] + [
                    2.85, 6.051, 7.304, 5.35, 2.85, 6.051, 7.304, 5.35,
                ]
            )
            #expect(stream.reports.count == 9 && stream.errors >= 1, "\(lost)")
        }
    }

    @Test func `A stream can be cut anywhere`() {
        let stream = ranges + internet + tag + sealed(fixed(2, 40, time: 6)) + ranges
        #expect(FormatStream.harmfulCuts(of: stream, .linktrack).isEmpty)
        #expect(FormatStream.harmfulTruncations(of: stream, .linktrack).isEmpty)
    }

    @Test func `Single bytes make the same stream`() {
        let stream = ranges + anchor + internet + tag
        let bytes = FormatStream(stream.map { [$0] }, format: .linktrack)
        #expect(bytes == FormatStream([stream], format: .linktrack))
        #expect(bytes.reports.count == 7 && bytes.errors == 0)
    }

    @Test func `Random bytes before and between are survived`() {
        var random = SeededGenerator(seed: 53)
        for _ in 0..<300 {
            let noise = (0..<Int.random(in: 0..<90, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let decoding = decode(noise + ranges + noise + internet + ranges)
            let distances = decoding.reports.map(\.distance)
            #expect(distances == [2.85, 6.051, 7.304, 5.35, 0.274, 2.85, 6.051, 7.304, 5.35])
        }
    }

    @Test func `A payload of nothing but beginnings is given up`() {
        let hostile = Array(repeating: [0x55, 2, 0, 8] as [UInt8], count: 16_384).flatMap { $0 }
        let decoding = decode(hostile + ranges)
        #expect(decoding.reports.isEmpty && decoding.errors.count == 2)
        let few = Array(repeating: [0x55, 2, 40, 0] as [UInt8], count: 4096).flatMap { $0 }
        #expect(decode(few + ranges).reports.count == 4)
    }

    @Test func `Text is not taken for a frame`() {
        for text in ["U", "UWB", "j", "json", "Unknown", ""] {
            let isPlausible = LinkTrack.isPlausible([UInt8](text.utf8).span)
            #expect(!isPlausible, "\(text)")
        }
        let beginning = Array(ranges[..<20])
        let isPlausible = LinkTrack.isPlausible(beginning.span)
        #expect(isPlausible)
    }
}
