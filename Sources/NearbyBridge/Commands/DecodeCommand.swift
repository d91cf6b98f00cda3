// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// `nearby-bridge decode`: bytes explained field by field.
enum DecodeCommand {
    /// No payload that is worth explaining is longer.
    private static let maximumBytes = 1 << 20

    /// Prints the explanation of the arguments or of standard input.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        let (text, failure) = try explain(arguments, readInput: readInput)
        StandardStream.output.write(text)
        if let failure { throw failure }
    }

    /// The explanation as text or JSON; `readInput` is asked if the bytes are not among the arguments.
    static func text(
        _ arguments: ParsedArguments,
        readInput: () throws(CommandFailure) -> [UInt8]
    ) throws(CommandFailure) -> String {
        let (text, failure) = try explain(arguments, readInput: readInput)
        if let failure { throw failure }
        return text
    }

    /// The explanation, and why it is a failure all the same: the bytes say nothing that could be used.
    private static func explain(
        _ arguments: ParsedArguments,
        readInput: () throws(CommandFailure) -> [UInt8]
    ) throws(CommandFailure) -> (String, CommandFailure?) {
        let format = arguments.text("format").flatMap(RangeFormat.init(rawValue:)) ?? .auto
        let isReport = arguments.positionals.first == ReportExplanation.word || format != .auto
        let (kind, words) =
            isReport ? (nil, try reportWords(arguments.positionals)) : try kind(arguments.positionals)
        let isTyped = !words.isEmpty && words != ["-"]
        let payload = isTyped ? Array(words.joined(separator: " ").utf8) : try readInput()
        guard payload.contains(where: { $0 != UInt8(ascii: " ") }) else {
            throw CommandFailure(.badData, "expected hexadecimal or base64 text or bytes, found nothing")
        }
        if isReport { return try reportText(payload, format, arguments) }
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
            if kind == nil, let report = ReportExplanation(payload), report.isSound {
                return (show(report, arguments), nil)
            }
            throw CommandFailure(.badData, "\(error)")
        }
        guard let explanation else {
            if let report = ReportExplanation(payload), report.isSound { return (show(report, arguments), nil) }
            let names = kindNames.joined(separator: ", ")
            throw CommandFailure(.badData, "the bytes look like nothing known; say what they should be: \(names)")
        }
        return (arguments.has("json") ? ExplanationJSON.text(explanation) : ExplanationText.text(explanation), nil)
    }

    /// The words that may stand for a kind.
    static var kindNames: [String] { DecodeKind.allCases.map(\.rawValue) + [ReportExplanation.word] }

    /// The words behind the kind, which a named format makes superfluous.
    private static func reportWords(_ words: [String]) throws(CommandFailure) -> [String] {
        guard let first = words.first, first != ReportExplanation.word else { return Array(words.dropFirst()) }
        guard DecodeKind(rawValue: first) == nil else {
            throw CommandFailure(.usage, "--format: \(first) has no formats; leave out one of the two")
        }
        return words
    }

    private static func reportText(
        _ payload: [UInt8],
        _ format: RangeFormat,
        _ arguments: ParsedArguments
    ) throws(CommandFailure) -> (String, CommandFailure?) {
        guard let report = ReportExplanation(payload, as: format) else {
            let names = RangeFormatRow.table.map(\.format.rawValue).joined(separator: ", ")
            throw CommandFailure(.badData, "no format of reports begins like this; known are \(names)")
        }
        let failure = report.hasReports ? nil : CommandFailure(.badData, report.complaint)
        return (show(report, arguments), failure)
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
