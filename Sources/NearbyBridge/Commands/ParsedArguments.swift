// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A command with its options, all of them checked.
public struct ParsedArguments: Equatable, Sendable {
    /// The command.
    public var command: CommandName
    /// The values given, by the option's name without dashes, in their order.
    public var values: [String: [String]]
    /// The flags given, without dashes.
    public var flags: Set<String>
    /// The arguments without a name, in their order.
    public var positionals: [String]

    /// Creates the arguments of a command.
    public init(
        command: CommandName,
        values: [String: [String]] = [:],
        flags: Set<String> = [],
        positionals: [String] = []
    ) {
        self.command = command
        self.values = values
        self.flags = flags
        self.positionals = positionals
    }

    /// Whether a flag was given.
    public func has(_ flag: String) -> Bool {
        flags.contains(flag)
    }

    /// The texts given to an option, none if it was not given.
    public func texts(_ option: String) -> [String] {
        values[option] ?? []
    }

    /// The text of an option or its default, `nil` if there is neither.
    public func text(_ option: String) -> String? {
        values[option]?.last ?? description(of: option)?.defaultText
    }

    /// The whole number of an option or its default, `nil` if there is neither.
    public func integer(_ option: String) -> Int? {
        value(option).flatMap { Int($0) }
    }

    /// The number of an option or its default, `nil` if there is neither.
    public func number(_ option: String) -> Double? {
        value(option).flatMap { Double($0) }
    }

    /// The numbers given to an option, in their order.
    public func numbers(_ option: String) -> [Double] {
        texts(option).compactMap { Double($0) }
    }

    /// The duration of an option or its default, `nil` if there is neither.
    public func duration(_ option: String) -> Duration? {
        value(option).flatMap { Duration($0) }
    }

    private func description(of option: String) -> CommandOption? {
        CommandDescription.of(command).options.first { $0.name == option }
    }

    private func value(_ option: String) -> ConfigurationValue? {
        guard let type = description(of: option)?.type, let text = text(option) else { return nil }
        return ConfigurationReader.decode(text, of: ConfigurationKey("--\(option)", type, ""))
    }
}
