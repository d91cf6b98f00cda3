// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// `nearby-bridge decode`: bytes explained field by field.
enum DecodeCommand {
    /// No payload that is worth explaining is longer.
    private static let maximumBytes = 1 << 20

    /// Prints the explanation of the arguments or of standard input.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        StandardStream.output.write(try text(arguments, readInput: readInput))
    }

    /// The explanation as text or JSON; `readInput` is asked if the bytes are not among the arguments.
    static func text(
        _ arguments: ParsedArguments,
        readInput: () throws(CommandFailure) -> [UInt8]
    ) throws(CommandFailure) -> String {
        let isReport = arguments.positionals.first == ReportExplanation.word
        let (kind, words) =
            isReport ? (nil, Array(arguments.positionals.dropFirst())) : try kind(arguments.positionals)
        let isTyped = !words.isEmpty && words != ["-"]
        let payload = isTyped ? Array(words.joined(separator: " ").utf8) : try readInput()
        guard payload.contains(where: { $0 != UInt8(ascii: " ") }) else {
            throw CommandFailure(.badData, "expected hexadecimal or base64 text or bytes, found nothing")
        }
        if isReport { return try reportText(payload, arguments) }
        let explanation: Explanation?
        do throws(CodecError) {
            let input = try DecodeInput(payload, as: kind, isText: isTyped)
            let showsSecrets = arguments.has("show-secrets")
            if let kind = kind ?? DecodeKind.guess(input.bytes) {
                explanation = try Explanation(input, as: kind, showsSecrets: showsSecrets)
            } else {
                explanation = nil
            }
        } catch {
            // JSON and text that are no configuration data may be reports.
            if kind == nil, let report = ReportExplanation(payload), report.isSound { return show(report, arguments) }
            throw CommandFailure(.badData, "\(error)")
        }
        guard let explanation else {
            if let report = ReportExplanation(payload), report.isSound { return show(report, arguments) }
            let names = kindNames.joined(separator: ", ")
            throw CommandFailure(.badData, "the bytes look like nothing known; say what they should be: \(names)")
        }
        return arguments.has("json") ? ExplanationJSON.text(explanation) : ExplanationText.text(explanation)
    }

    /// The words that may stand for a kind.
    static var kindNames: [String] { DecodeKind.allCases.map(\.rawValue) + [ReportExplanation.word] }

    private static func reportText(_ payload: [UInt8], _ arguments: ParsedArguments) throws(CommandFailure) -> String {
        guard let report = ReportExplanation(payload) else {
            let names = RangeFormatRow.table.map(\.format.rawValue).joined(separator: ", ")
            throw CommandFailure(.badData, "no format of reports begins like this; known are \(names)")
        }
        guard report.hasReports else {
            throw CommandFailure(.badData, show(report, arguments).split(separator: "\n").joined(separator: "; "))
        }
        return show(report, arguments)
    }

    private static func show(_ report: ReportExplanation, _ arguments: ParsedArguments) -> String {
        arguments.has("json") ? report.json : report.text
    }

    /// The kind, if the first word is one, and the other words.
    private static func kind(_ words: [String]) throws(CommandFailure) -> (DecodeKind?, [String]) {
        guard let first = words.first else { return (nil, []) }
        if let kind = DecodeKind(rawValue: first) { return (kind, Array(words.dropFirst())) }
        // Only hexadecimal text is split into several words.
        guard words.count > 1, (try? Hexadecimal.decode(Array(first.utf8).span)) == nil else { return (nil, words) }
        let names = kindNames
        let fix = NearestName.of(first, in: names).map { "did you mean \($0)?" }
        throw CommandFailure(
            .usage,
            "unknown kind \(PlainText.quote(first)); \(fix ?? "there are \(names.joined(separator: ", "))")"
        )
    }

    private static func readInput() throws(CommandFailure) -> [UInt8] {
        guard !StandardInput.isTerminal else {
            throw CommandFailure(.usage, "expected bytes; write them as hexadecimal or base64, or pipe them in")
        }
        do throws(TextFile.Failure) {
            return try StandardInput.read(maximumBytes: maximumBytes)
        } catch {
            throw CommandFailure(.badData, "\(error)")
        }
    }
}
