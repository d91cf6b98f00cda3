// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Manual pages in the language of `man`, made from the table of commands.
enum ManualPage {
    /// Every page: the program's own, then one for each command.
    static var all: [(name: String, text: String)] {
        let topics: [CommandName?] = [nil] + CommandName.allCases
        return topics.map { (name(of: $0), text(for: $0)) }
    }

    /// The page's name without section: `nearby-bridge-run`.
    static func name(of command: CommandName?) -> String {
        command.map { "nearby-bridge-\($0.rawValue)" } ?? "nearby-bridge"
    }

    /// The page of a command, or that of the program.
    static func text(for command: CommandName?) -> String {
        let body = command.map { lines(for: CommandDescription.of($0)) } ?? overview
        return (heading(name(of: command)) + body).joined(separator: "\n") + "\n"
    }

    private static func heading(_ name: String) -> [String] {
        [
            ".\\\" printed by: nearby-bridge man",
            ".TH \(escape(name.uppercased())) 1 \(Version.date) \"nearby\\-bridge \(Version.text)\" nearby\\-bridge",
        ]
    }

    private static var overview: [String] {
        let commands = CommandName.allCases.map(CommandDescription.of)
        return section("NAME", ["nearby\\-bridge \\- turns UWB range reports on MQTT into zone events"])
            + section("SYNOPSIS", [".B nearby\\-bridge", ".I command", "[options]"])
            + section(
                "DESCRIPTION",
                [
                    paragraph(
                        """
                        Connects to an MQTT broker, runs the sessions of UWB accessories, reads their range reports, \
                        and publishes an event whenever somebody enters or leaves a zone around an accessory.
                        """
                    )
                ]
            )
            + section("COMMANDS", commands.flatMap { item($0.name.rawValue, $0.summary) })
            + section("OPTIONS", CommandDescription.common.flatMap { item("--\($0.name)", $0.help) })
            + section(
                "FILES",
                ConfigurationSources.usualPlaces.flatMap {
                    item($0, "The configuration, if --config names no other; the first that is there.")
                }
            )
            + section(
                "ENVIRONMENT",
                item("NEARBY_BRIDGE_SECTION_KEY", "A key of the configuration, such as NEARBY_BRIDGE_MQTT_HOST.")
                    + item("NO_COLOR", "Set to anything: no colours, even on a terminal.")
            )
            + section("EXIT STATUS", exitStatus(ExitCode.allCases))
            + seeAlso(CommandName.allCases.map { name(of: $0) })
    }

    private static func lines(for command: CommandDescription) -> [String] {
        let usage = CommandHelp.usage(of: command)
        let options = command.options + CommandDescription.common
        let sentence = command.summary.hasSuffix(".") ? command.summary.dropLast() : command.summary[...]
        let summary = sentence.prefix(1).lowercased() + sentence.dropFirst()
        return section("NAME", ["\(escape(name(of: command.name))) \\- \(escape(summary))"])
            + section("SYNOPSIS", [".B nearby\\-bridge", escape(usage)])
            + section("DESCRIPTION", [paragraph(command.details)])
            + section("OPTIONS", options.flatMap { item(CommandHelp.label(of: $0), CommandHelp.help(of: $0)) })
            + section("EXAMPLES", command.examples.flatMap { item($0.command, $0.explanation) })
            + section("EXIT STATUS", exitStatus(command.exitCodes))
            + seeAlso([name(of: nil)])
    }

    private static func exitStatus(_ codes: [ExitCode]) -> [String] {
        codes.flatMap { item(String($0.rawValue), $0.summary) }
    }

    private static func seeAlso(_ names: [String]) -> [String] {
        section(
            "SEE ALSO",
            names.enumerated().map { index, name in
                ".BR \(escape(name)) (1)\(index == names.count - 1 ? "" : ",")"
            }
        )
    }

    private static func section(_ title: String, _ lines: [String]) -> [String] {
        [".SH \(title.contains(" ") ? "\"\(title)\"" : title)"] + lines
    }

    /// A term in bold and what it means, indented.
    private static func item(_ term: String, _ text: String) -> [String] {
        [".TP", "\\fB\(escape(term))\\fR", paragraph(text)]
    }

    /// One sentence a line, as the language wants it.
    private static func paragraph(_ text: String) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            line += (line.isEmpty ? "" : " ") + word
            guard let last = word.last, ".?!".contains(last) || line.count > 56 else { continue }
            lines.append(escape(line))
            line = ""
        }
        if !line.isEmpty { lines.append(escape(line)) }
        return lines.joined(separator: "\n")
    }

    /// Text in which nothing is taken for a command, and every hyphen can be copied and typed.
    private static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "\"": escaped += "\\(dq"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "`": escaped += "\\(ga"
            case let scalar where !scalar.isASCII:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                escaped += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }
}
