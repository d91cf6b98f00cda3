// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Scripts by which shells complete our command lines, made from the table of commands.
enum CompletionScript {
    /// The shells we know.
    enum Shell: String, CaseIterable {
        case bash
        case zsh
        case fish
    }

    /// The script for a shell.
    static func text(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletion.text
        case .zsh: ZshCompletion.text
        case .fish: FishCompletion.text
        }
    }

    /// Every command with what follows it.
    static var commands: [CommandDescription] { CommandName.allCases.map(CommandDescription.of) }

    /// A text between single quotes, for any of the three shells.
    static func quote(_ text: String) -> String {
        var quoted = "'"
        for character in text {
            // Out of the quotes, an escaped one, and in again: fish reads that the same way.
            quoted += character == "'" ? "'\\''" : String(character)
        }
        return quoted + "'"
    }
}
