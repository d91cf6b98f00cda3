// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the parser and the help text know about a command.
public struct CommandDescription: Equatable, Sendable {
    /// Arguments without a name.
    public enum Positional: Equatable, Sendable {
        /// None is taken.
        case none
        /// One or more, called this in help texts.
        case oneOrMore(String)
        /// Any number of files, called this in help texts.
        case zeroOrMore(String)
        /// Any number, described so in the usage line; the first is often one of these words.
        case any(String, words: [String] = [])
        /// Exactly one of these words, called this in help texts.
        case one(String, of: [String])
        /// None, or one of these words, called this in help texts.
        case optional(String, of: [String])

        /// Words to offer while one types.
        var words: [String] {
            switch self {
            case .none, .oneOrMore, .zeroOrMore: []
            case .any(_, let words), .one(_, let words), .optional(_, let words): words
            }
        }
    }

    /// One way to call the command.
    public struct Example: Equatable, Sendable {
        /// What to type.
        public var command: String
        /// What it does.
        public var explanation: String
    }

    /// The name.
    public var name: CommandName
    /// What it does, in a few words for the list of commands.
    public var summary: String
    /// What it does, in a few sentences.
    public var details: String
    /// Arguments without a name.
    public var positional: Positional
    /// Its options, without those that every command has.
    public var options: [CommandOption]
    /// A few ways to call it.
    public var examples: [Example]
    /// How it may end besides success and a wrong command line; wrong configuration comes with `--config`.
    public var failures: [ExitCode] = []
    /// Whether it is for whoever installs the program, and not for every day.
    public var isForInstallation = false

    /// Every way it may end.
    public var exitCodes: [ExitCode] {
        let takesConfiguration = options.contains { $0.name == "config" }
        return ExitCode.allCases.filter { code in
            switch code {
            case .ok, .usage: true
            case .configuration: takesConfiguration || failures.contains(code)
            case .badData, .unavailable, .internalError: failures.contains(code)
            }
        }
    }

    /// The description of a command.
    public static func of(_ name: CommandName) -> CommandDescription {
        switch name {
        case .run: run
        case .demo: demo
        case .replay: replay
        case .simulate: simulate
        case .decode: decode
        case .check: check
        case .schema: schema
        case .health: health
        case .purge: purge
        case .record: record
        case .calibrate: calibrate
        case .advise: advise
        case .doctor: doctor
        case .completions: completions
        case .man: man
        case .version: version
        }
    }

    /// The options that every command has.
    public static let common: [CommandOption] = [
        .flag("help", "Print this text."),
        .flag("version", "Print the version."),
    ]
}
