// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct RecordedFileTests {
    @Test(arguments: [
        (#"{"base_topic":"nearby","time":"2026-01-01T00:00:00Z","type":"recording","v":1}"#, RecordedFile.recording),
        (#"{"payload":"","t":1,"topic":"nearby/accessory/a/report"}"#, .recording),
        (#"{"t":1,"type":"subscribed"}"#, .recording), (" \n" + #"{"t":1,"type":"ended"}"#, .recording),
        ("t_s,measured_m", .walk), ("\u{FEFF}x, t_s ,true_m", .walk), ("measured_m", .walk), ("", .log),
        (#"{"distance":1}"#, .log), (#"{"type":"tag","distance":1}"#, .log), ("[{\"distance\":1}]", .log),
        ("from: 1782\t Range: 1.23 m", .log), (#"{"Block":0,"results":[]}"#, .log),
    ])
    func `the first line says what a file is`(_ line: String, _ expected: RecordedFile) {
        #expect(RecordedFile(Array("\(line)\n1,2\n".utf8), isNamed: false) == expected)
        #expect(RecordedFile(Array(line.utf8), isNamed: true) == .log)
    }

    @Test func `no sample of a format is taken for a recording`() {
        for row in RangeFormatRow.table { #expect(RecordedFile(Array(row.sample.utf8), isNamed: false) == .log) }
    }
}
