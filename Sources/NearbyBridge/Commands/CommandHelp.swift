// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Help texts, generated from the table of commands, at most 80 columns wide.
public enum CommandHelp {
    /// The help text of a command, or that of the program.
    public static func text(for command: CommandName?) -> String {
        command.map { text(for: CommandDescription.of($0)) } ?? overview
    }

    private static let width = 80

    private static var overview: String {
        let commands = CommandName.allCases.map { ($0.rawValue, CommandDescription.of($0).summary) }
        let codes = ExitCode.allCases.map { (String($0.rawValue), $0.summary) }
        return """
            Usage: nearby-bridge <command> [options]

            \(wrap("Turns UWB range reports on MQTT into zone events.", indentation: 0))

            Commands:
            \(table(commands))

            Options:
            \(table(CommandDescription.common.map { ("--\($0.name)", $0.help) }))

            Exit codes:
            \(table(codes))

            nearby-bridge <command> --help tells more about a command.

            """
    }

    private static func text(for command: CommandDescription) -> String {
        let examples = command.examples.map { "  \($0.command)\n\(wrap($0.explanation, indentation: 6))" }
        return """
            \(usage(of: command))

            \(wrap(command.details, indentation: 0))

            Options:
            \(table((command.options + CommandDescription.common).map { (label(of: $0), help(of: $0)) }))

            Examples:
            \(examples.joined(separator: "\n"))

            """
    }

    private static func usage(of command: CommandDescription) -> String {
        switch command.positional {
        case .none: "Usage: nearby-bridge \(command.name.rawValue) [options]"
        case .oneOrMore(let name): "Usage: nearby-bridge \(command.name.rawValue) [options] \(name)…"
        case .any(let names): "Usage: nearby-bridge \(command.name.rawValue) [options] \(names)"
        }
    }

    private static func label(of option: CommandOption) -> String {
        "--\(option.name)" + (option.valueName.map { " \($0)" } ?? "")
    }

    private static func help(of option: CommandOption) -> String {
        option.help
            + (option.defaultText.map { " Default \($0)." } ?? "")
            + (option.isRepeatable ? " May be given more than once." : "")
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
