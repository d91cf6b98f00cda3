// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// `nearby-bridge completions`: what a shell needs to complete command lines.
enum CompletionsCommand {
    /// Prints the script for the shell that is named.
    static func run(_ arguments: ParsedArguments) {
        guard let shell = arguments.positionals.first.flatMap(CompletionScript.Shell.init(rawValue:)) else { return }
        StandardStream.output.write(CompletionScript.text(for: shell))
    }
}
