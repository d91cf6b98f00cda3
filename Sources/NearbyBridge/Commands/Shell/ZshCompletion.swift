// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The completion script for zsh: to be loaded as `_nearby-bridge` from `$fpath`, or sourced after `compinit`.
enum ZshCompletion {
    /// The script.
    static var text: String {
        """
        #compdef nearby-bridge
        # zsh completion for nearby-bridge, printed by: nearby-bridge completions zsh

        _nearby-bridge_commands() {
            local -a commands
            commands=(
        \(commands)
            )
            _describe -t commands command commands
        }

        _nearby-bridge_settings() {
            local -a settings
            settings=(
        \(settings)
            )
            compadd -S '' -a settings
        }

        _nearby-bridge() {
            local curcontext="$curcontext" state line
            _arguments -C \\
        \(common)
                '1: :_nearby-bridge_commands' \\
                '*:: :->arguments' && return
            [[ $state == arguments ]] || return
            case $words[1] in
                help) _arguments '1: :_nearby-bridge_commands' ;;
        \(branches)
            esac
        }

        if [[ $funcstack[1] == _nearby-bridge ]]; then
            _nearby-bridge "$@"
        else
            compdef _nearby-bridge nearby-bridge
        fi

        """
    }

    private static var commands: String {
        let rows = CompletionScript.commands.map { ($0.name.rawValue, $0.summary) } + [("help", "Print a help text.")]
        return rows.map { "        " + CompletionScript.quote("\($0.0):\(escape($0.1))") }.joined(separator: "\n")
    }

    private static var settings: String {
        ValueCompletion.everySetting.map { "        " + CompletionScript.quote($0) }.joined(separator: "\n")
    }

    private static var common: String {
        CommandDescription.common.map { "        '(- *)--\($0.name)[\(escape($0.help))]' \\" }.joined(separator: "\n")
    }

    private static var branches: String {
        CompletionScript.commands.map { command in
            let options = (command.options + CommandDescription.common).map { specification(of: $0) }
            let rest = positional(of: command).map { [$0] } ?? []
            return "        \(command.name.rawValue))\n            _arguments "
                + (options + rest).map(CompletionScript.quote).joined(separator: " \\\n                ") + " ;;"
        }.joined(separator: "\n")
    }

    private static func specification(of option: CommandOption) -> String {
        let repeats = option.isRepeatable ? "*" : ""
        let help = "[\(escape(option.help))]"
        guard let value = option.valueName else { return "\(repeats)--\(option.name)\(help)" }
        return "\(repeats)--\(option.name)=\(help):\(escape(value)):\(action(option.completion))"
    }

    private static func positional(of command: CommandDescription) -> String? {
        switch command.positional {
        case .none: nil
        case .oneOrMore(let name), .zeroOrMore(let name): "*:\(escape(name)):\(action(command.positional.completion))"
        case .any, .one, .optional: "1: :\(action(command.positional.completion))"
        }
    }

    private static func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .words(let words): "(\(words.map(escape).joined(separator: " ")))"
        case .settings: "_nearby-bridge_settings"
        }
    }

    /// Colons and brackets mean something in a specification.
    private static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if ":[]\\".contains(character) { escaped += "\\" }
            escaped.append(character)
        }
        return escaped
    }
}
