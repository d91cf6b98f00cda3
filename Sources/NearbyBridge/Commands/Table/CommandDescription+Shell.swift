// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The commands for whoever installs the program.
extension CommandDescription {
    static let completions = CommandDescription(
        name: .completions,
        summary: "Print what a shell needs to complete command lines.",
        details: """
            Prints a script for one shell, made from the same table as the help texts. It completes commands, options, \
            files, and the keys of the configuration behind --set.
            """,
        positional: .one("shell", of: CompletionScript.Shell.allCases.map(\.rawValue)),
        options: [],
        examples: [
            Example(
                command: "nearby-bridge completions bash >/etc/bash_completion.d/nearby-bridge",
                explanation: "For bash; needs the package bash-completion, or source the file."
            ),
            Example(
                command: "nearby-bridge completions zsh >_nearby-bridge",
                explanation: "For zsh: the file belongs into a folder of $fpath, under this name."
            ),
            Example(
                command: "nearby-bridge completions fish >/etc/fish/completions/nearby-bridge.fish",
                explanation: "For fish."
            ),
        ],
        isForInstallation: true
    )

    static let man = CommandDescription(
        name: .man,
        summary: "Print a manual page, or write them all.",
        details: """
            Prints the manual page of the program, or of the command that is named. With --output it writes all of them \
            into a folder: nearby-bridge.1 and one for each command.
            """,
        positional: .optional("command", of: CommandName.allCases.map(\.rawValue)),
        options: [.value("output", "DIR", .text(.path), "Folder to write all pages to; made if it is missing.")],
        examples: [
            Example(command: "nearby-bridge man run | man -l -", explanation: "Read the page of one command."),
            Example(command: "nearby-bridge man --output /usr/local/share/man/man1", explanation: "Install all."),
        ],
        failures: [.unavailable],
        isForInstallation: true
    )
}
