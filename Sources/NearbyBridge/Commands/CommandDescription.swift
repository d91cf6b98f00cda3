// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the parser and the help text know about a command.
public struct CommandDescription: Equatable, Sendable {
    /// Arguments without a name.
    public enum Positional: Equatable, Sendable {
        /// None is taken.
        case none
        /// One or more, called this in help texts.
        case oneOrMore(String)
        /// Any number, described so in the usage line.
        case any(String)
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
        case .version: version
        }
    }

    /// The options that every command has.
    public static let common: [CommandOption] = [
        .flag("help", "Print this text."),
        .flag("version", "Print the version."),
    ]
}
