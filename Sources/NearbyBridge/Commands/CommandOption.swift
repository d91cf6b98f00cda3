// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One option of a command.
public struct CommandOption: Equatable, Sendable {
    /// The name without dashes.
    public var name: String
    /// What stands for the value in help texts, `nil` for a flag.
    public var valueName: String?
    /// What the value must be, `nil` for any text.
    public var type: ConfigurationType?
    /// The value if the option is not given.
    public var defaultText: String?
    /// Whether it may be given more than once.
    public var isRepeatable: Bool
    /// What it does, in one sentence.
    public var help: String

    /// Words to offer while one types, where the type does not say them.
    public var words: [String] = []

    /// Whether it takes no value.
    public var isFlag: Bool { valueName == nil }

    /// A flag.
    static func flag(_ name: String, _ help: String) -> CommandOption {
        CommandOption(name: name, valueName: nil, type: nil, defaultText: nil, isRepeatable: false, help: help)
    }

    /// An option with a value.
    static func value(
        _ name: String,
        _ valueName: String,
        _ type: ConfigurationType?,
        default defaultText: String? = nil,
        isRepeatable: Bool = false,
        words: [String] = [],
        _ help: String
    ) -> CommandOption {
        CommandOption(
            name: name,
            valueName: valueName,
            type: type,
            defaultText: defaultText,
            isRepeatable: isRepeatable,
            help: help,
            words: words
        )
    }
}
