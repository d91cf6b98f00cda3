// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@testable import NearbyBridge

struct LogTests {
    @Test func `each level and above is written`() {
        let all: [(LogLevel, String)] = [(.debug, "a"), (.info, "b"), (.warning, "c"), (.error, "d")]
        for level in LogLevel.allCases {
            let lines = LogLines(level: level)
            lines.log.debug("a")
            lines.log.info("b", .mqtt)
            lines.log.warning("c")
            lines.log.error("d")
            let expected = all.filter { $0.0 >= level }
            let texts = expected.map { " \($0.0.rawValue) \($0.1 == "b" ? "mqtt" : "bridge"): \($0.1)\n" }
            #expect(lines.all.map { String($0.dropFirst(Timestamp.length)) } == texts)
            #expect(lines.log.takeMirror().map(\.message) == expected.map(\.1))
        }
        #expect(LogLevel.allCases == LogLevel.allCases.sorted())
    }

    @Test func `a subsystem may have a level of its own, changed at any time`() {
        let lines = LogLines(level: .warning)
        var options = LogOptions()
        options.level = .warning
        options.levels[.zones] = .debug
        options.levels[.mqtt] = .error
        lines.log.use(options)
        lines.log.debug("a", .zones)
        lines.log.warning("b", .mqtt)
        lines.log.info("c", .session)
        lines.log.warning("d", .session)
        #expect(lines.log.takeMirror().map(\.message) == ["a", "d"])
        lines.log.use(LogOptions())
        lines.log.debug("e", .zones)
        lines.log.info("f", .mqtt)
        #expect(lines.log.takeMirror().map(\.message) == ["f"])
    }

    @Test func `a line that nobody wants is not put together`() {
        let lines = LogLines()
        var count = 0
        func text() -> String {
            count += 1
            return "x"
        }
        lines.log.debug(text())
        #expect(count == 0)
        lines.log.info(text())
        #expect(count == 1)
    }

    @Test(arguments: LogOptions.Format.all)
    func `the journal gets its priority and no time of ours`(_ format: LogOptions.Format) {
        let lines = LogLines(level: .debug, format: format, isJournal: true)
        lines.log.debug("a")
        lines.log.info("b")
        lines.log.warning("c", .mqtt)
        lines.log.error("d")
        #expect(lines.all.map { String($0.prefix(3)) } == ["<7>", "<6>", "<4>", "<3>"])
        if format == .text { #expect(lines.all[2] == "<4>mqtt: c\n") }
    }

    @Test(arguments: LogOptions.Format.all)
    func `nothing from outside starts a line or steers a terminal`(_ format: LogOptions.Format) throws {
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
        #expect(lines.all.first?.hasSuffix(" info bridge: \(text)\n") == true)
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
        #expect(object?["subsystem"] as? String == "bridge")
        #expect(object?.count == 5)
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

extension LogOptions.Format {
    fileprivate static let all = [Self.text, .json]
}
