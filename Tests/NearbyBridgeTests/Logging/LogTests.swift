// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@testable import NearbyBridge

struct LogTests {
    @Test func `each level and above is written`() {
        for level in LogLine.Level.allCases {
            let lines = LogLines(level: level)
            lines.log.debug("a")
            lines.log.info("b")
            lines.log.warning("c")
            lines.log.error("d")
            let expected = [" debug: a\n", " info: b\n", " warning: c\n", " error: d\n"].suffix(4 - level.rawValue)
            #expect(lines.all.map { $0.dropFirst(Timestamp.length) } == expected.map { $0[...] })
            #expect(lines.log.takeMirror().map(\.message) == ["a", "b", "c", "d"].suffix(4 - level.rawValue))
        }
    }

    @Test(arguments: [Log.Format.text, .json])
    func `nothing from outside starts a line or steers a terminal`(_ format: Log.Format) throws {
        let lines = LogLines(format: format)
        let evil = "a\nb\r\nc\u{1B}[31m\u{0}\u{7F}\u{85}\u{9B}\u{2028}\u{2029}\u{202E}\u{200B}\u{FEFF}\t\u{E0041}z"
        lines.log.warning(evil)
        let line = try #require(lines.all.first)
        #expect(line.hasSuffix("\n"))
        #expect(line.unicodeScalars.count { $0 == "\n" } == 1)
        let rest = line.unicodeScalars.dropLast()
        #expect(rest.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        #expect(!rest.contains { ["\u{2028}", "\u{2029}", "\u{202E}", "\u{200B}", "\u{FEFF}"].contains($0) })
        #expect(line.contains("a�b��c�[31m"))
        #expect(lines.log.takeMirror().first?.message.unicodeScalars.contains("\n") == false)
    }

    @Test func `ordinary text of any language is left alone`() {
        let lines = LogLines()
        let text = "Ärger mit 東京 \"7\" é 🚪"
        lines.log.info(text)
        #expect(lines.all.first?.hasSuffix(" info: \(text)\n") == true)
    }

    @Test func `a line for machines is sorted JSON`() throws {
        let lines = LogLines(format: .json)
        lines.log.error("say \"x\"")
        let line = try #require(lines.all.first)
        let bytes = Array(line.utf8.dropLast())
        #expect(JSONText.fault(bytes) == nil)
        let object = JSONText.object(bytes)
        #expect(object?["level"] as? String == "error")
        #expect(object?["message"] as? String == "say \"x\"")
        #expect(object?["v"] as? Int == 1)
        #expect((object?["at"] as? String)?.count == Timestamp.length)
        #expect(object?.count == 4)
    }

    @Test func `the mirror keeps the newest hundred lines and gives them out once`() {
        let lines = LogLines()
        for number in 0..<250 { lines.log.info("\(number)") }
        #expect(lines.log.takeMirror().map(\.message) == (150..<250).map { "\($0)" })
        #expect(lines.log.takeMirror().isEmpty)
        #expect(lines.all.count == 250)
    }

    @Test func `threads do not lose each other's lines`() throws {
        let lines = LogLines()
        let threads = try (0..<4).map { number in
            try Thread(name: "log-\(number)") {
                for line in 0..<200 { lines.log.info("\(number) \(line)") }
            }
        }
        for thread in threads { thread.join() }
        #expect(lines.all.count == 800)
        #expect(lines.log.takeMirror().count == 100)
    }
}
