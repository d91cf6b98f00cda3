// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Help texts, generated from the table of commands, at most 80 columns wide.
public enum CommandHelp {
    /// The help text of a command, or that of the program.
    public static func text(for command: CommandName?) -> String {
        command.map { text(for: CommandDescription.of($0)) } ?? overview
    }

    private static let width = 80

    private static var overview: String {
        let commands = CommandName.allCases.map(CommandDescription.of)
        func rows(_ isForInstallation: Bool) -> String {
            table(commands.filter { $0.isForInstallation == isForInstallation }.map { ($0.name.rawValue, $0.summary) })
        }
        return """
            Usage: nearby-bridge <command> [options]

            \(wrap("Turns UWB range reports on MQTT into zone events.", indentation: 0))

            Commands:
            \(rows(false))

            For installation:
            \(rows(true))

            Options:
            \(table(CommandDescription.common.map { ("--\($0.name)", $0.help) }))

            Exit codes:
            \(table(ExitCode.allCases))

            nearby-bridge <command> --help tells more about a command.

            """
    }

    private static func text(for command: CommandDescription) -> String {
        let examples = command.examples.map { "  \($0.command)\n\(wrap($0.explanation, indentation: 6))" }
        return """
            Usage: nearby-bridge \(usage(of: command))

            \(wrap(command.details, indentation: 0))

            Options:
            \(table((command.options + CommandDescription.common).map { (label(of: $0), help(of: $0)) }))

            Examples:
            \(examples.joined(separator: "\n"))

            Exit codes:
            \(table(command.exitCodes))

            """
    }

    /// The command and what may follow it.
    static func usage(of command: CommandDescription) -> String {
        let name = command.name.rawValue
        return switch command.positional {
        case .none: "\(name) [options]"
        case .oneOrMore(let argument): "\(name) [options] \(argument)…"
        case .zeroOrMore(let argument): "\(name) [options] [\(argument)…]"
        case .any(let names, _): "\(name) [options] \(names)"
        case .one(_, let words): "\(name) [options] \(words.joined(separator: "|"))"
        case .optional(let argument, _): "\(name) [options] [\(argument)]"
        }
    }

    /// The option as one types it.
    static func label(of option: CommandOption) -> String {
        "--\(option.name)" + (option.valueName.map { " \($0)" } ?? "")
    }

    /// What it does, with its default.
    static func help(of option: CommandOption) -> String {
        option.help
            + (option.defaultText.map { " Default \($0)." } ?? "")
            + (option.isRepeatable ? " May be given more than once." : "")
    }

    private static func table(_ codes: [ExitCode]) -> String {
        table(codes.map { (String($0.rawValue), $0.summary) })
    }

    /// Two columns, the second one wrapped.
    private static func table(_ rows: [(String, String)]) -> String {
        let left = (rows.map(\.0.count).max() ?? 0) + 4
        return rows.map { label, text in
            let lines = wrap(text, indentation: left)
            return "  " + label + lines.dropFirst(label.count + 2)
        }.joined(separator: "\n")
    }

    /// Breaks a text between words; every line begins with so many spaces.
    private static func wrap(_ text: String, indentation: Int) -> String {
        let margin = String(repeating: " ", count: indentation)
        var lines: [String] = []
        var line = margin
        for word in text.split(separator: " ") {
            if line.count + word.count + 1 > width, line.count > indentation {
                lines.append(line)
                line = margin
            }
            line += (line.count > indentation ? " " : "") + word
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
