// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Gzip
import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct WalkFileTests {
    private func file(_ text: String) throws -> WalkFile { try WalkFile(Array(text.utf8), "a.log") }

    private func failure(_ text: String) -> CommandFailure? {
        do throws(CommandFailure) {
            _ = try WalkFile(Array(text.utf8), "a.log")
            return nil
        } catch {
            return error
        }
    }

    private static let recording = #"""
        {"base_topic":"nearby","time":"2026-01-01T00:00:00.000Z","type":"recording","v":1,"version":"0"}
        {"t":1,"type":"subscribed"}
        {"payload":"{\"distance\":5,\"peer\":\"alice\"}","qos":0,"retained":false,"t":2,"topic":"nearby/accessory/lamp/report"}
        {"payload":"{\"distance\":null,\"peer\":\"alice\"}","qos":0,"retained":false,"t":2.1,"topic":"nearby/accessory/lamp/report"}
        {"payload":"DIST: 2.","qos":0,"retained":false,"t":2.2,"topic":"nearby/accessory/door/report"}
        {"payload":"50 m\r\n","qos":0,"retained":false,"t":2.3,"topic":"nearby/accessory/door/report"}
        {"payload":"[{\"distance\":4,\"peer\":\"alice\"},{\"distance\":-0.2,\"peer\":\"bob\"}]","qos":0,"retained":false,"t":3,"topic":"nearby/accessory/lamp/report"}
        {"payload":"{\"id\":\"45:F6:8A:76:86:C5\",\"rssi\":-55,\"distance\":0.5}","qos":0,"retained":false,"t":4,"topic":"espresense/devices/x/hall"}
        {"t":5,"type":"ended"}
        """#

    @Test("Of a recording each accessory's peer is a walk, with the recording's own times")
    func recording() throws {
        let file = try file(Self.recording)
        #expect(
            file.walks.map(\.name) == [
                "lamp/alice", "door", "lamp/bob", "espresense/devices/x/hall/0x000045F68A7686C5",
            ]
        )
        #expect(file.walks.map { $0.samples.map(\.measured) } == [[5, 4], [2.5], [0], [0.5]])
        let times = file.walks.map { $0.samples.map(\.time) }
        #expect(times[0] == [0, 1] && times[2] == [1] && times[3] == [2])
        #expect(
            file.summary.hasPrefix(
                "a.log: a recording of 6 messages, 4 tracks: lamp/alice (2 distances), door (1 distance), "
            )
        )
    }

    @Test("Of a log each pair of tag and anchor is a walk")
    func log() throws {
        let lines = (0..<20).map {
            "mc 03 0000\(1000 + $0) 00002000 00000000 00000000 \(1000 + $0) c1 00024c24 a0:0\r\n"
        }
        let file = try file(lines.joined())
        #expect(file.walks.map(\.name) == ["0x0000/0x0000", "0x0000/0x0001"])
        #expect(file.walks.allSatisfy { $0.samples.count == 20 })
        #expect(file.summary.hasPrefix("a.log: a log of 20 entries in the format trek, 2 tracks: "))
    }

    @Test("A walk is a walk, packed or not")
    func walk() throws {
        let directory = try TemporaryDirectory()
        try directory.write("t_s,measured_m\n1,2.5\n2,2.25\n", to: "walk.csv")
        let file = try WalkFile(directory.file("walk.csv"))
        #expect(file.walks.map(\.name) == ["walk"] && file.walks[0].samples.map(\.time) == [1, 2])
        #expect(file.summary.hasSuffix("walk.csv: a walk of 2 distances"))
    }

    @Test(
        "A file with nothing to play gives one error that names what was read",
        arguments: [
            ("t_s,measured_m\n1,\n", "a.log: the walk has no measurements"),
            (
                #"{"t":1,"type":"subscribed"}"# + "\n"
                    + #"{"payload":"{\"distance\":null}","t":2,"topic":"nearby/accessory/lamp/report"}"# + "\n",
                "a.log: a recording of 1 message, 1 report, none with a distance: nothing that could be played"
            ),
            (
                #"{"t":1,"type":"subscribed"}"# + "\n",
                "a.log: a recording of 0 messages, no report: nothing that could be played"
            ),
            (
                "POS,7.10,5.24,-2.03,53\r\n",
                "a.log: a log of 1 entry in the format pans, 1 report, none with a distance: nothing that could be played"
            ),
        ]
    )
    func nothing(_ text: String, _ message: String) {
        #expect(failure(text) == CommandFailure(.badData, message))
    }

    @Test("What is no report in any format names the formats")
    func rubbish() {
        #expect(failure("hello\nworld\n")?.message.contains("makerfabs") == true)
    }

    @Test("It is said which accessory plays what")
    func dealing() {
        #expect(WalkFile.dealt(1, to: 1) == "played by 1 accessory")
        #expect(WalkFile.dealt(1, to: 3) == "played by 3 accessories")
        #expect(WalkFile.dealt(2, to: 5) == "2 tracks, dealt to 5 accessories in turn")
        #expect(WalkFile.dealt(4, to: 2) == "the first 2 of 4 tracks are played; --accessories 4 plays all")
    }
}
