// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The completion script for fish.
enum FishCompletion {
    /// The script.
    static var text: String {
        """
        # fish completion for nearby-bridge, printed by: nearby-bridge completions fish

        function __nearby_bridge_settings
            printf '%s\\n' \\
        \(ValueCompletion.everySetting.map { "        \(quote($0))" }.joined(separator: " \\\n"))
        end

        complete -c nearby-bridge -f
        \(commands)
        \(CompletionScript.commands.flatMap(lines).joined(separator: "\n"))

        """
    }

    private static var commands: String {
        let rows = CompletionScript.commands.map { ($0.name.rawValue, $0.summary) } + [("help", "Print a help text.")]
        let names = rows.map(\.0).joined(separator: " ")
        return
            (rows.map { "complete -c nearby-bridge -n __fish_use_subcommand -a \($0.0) -d \(quote($0.1))" }
            + ["complete -c nearby-bridge -n '__fish_seen_subcommand_from help' -a \(quote(names))"]
            + CommandDescription.common.map { "complete -c nearby-bridge -l \($0.name) -d \(quote($0.help))" })
            .joined(separator: "\n")
    }

    private static func lines(of command: CommandDescription) -> [String] {
        let prefix = "complete -c nearby-bridge -n '__fish_seen_subcommand_from \(command.name.rawValue)'"
        let options = command.options.map { option in
            let value = option.isFlag ? "" : " \(action(option.completion))"
            return "\(prefix) -l \(option.name)\(value) -d \(quote(option.help))"
        }
        switch command.positional.completion {
        case .nothing: return options
        case .files: return options + ["\(prefix) -F"]
        case .folders, .settings, .words:
            return options + ["\(prefix) -a \(quote(command.positional.words.joined(separator: " ")))"]
        }
    }

    private static func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: "-x"
        case .files: "-r -F"
        case .folders: "-x -a '(__fish_complete_directories)'"
        case .words(let words): "-x -a \(quote(words.joined(separator: " ")))"
        case .settings: "-x -a '(__nearby_bridge_settings)'"
        }
    }

    private static func quote(_ text: String) -> String { CompletionScript.quote(text) }
}
