// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// `nearby-bridge schema`: the JSON Schema of the configuration.
enum SchemaCommand {
    /// Prints the schema.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        StandardStream.output.write(String(decoding: ConfigurationSchema.json, as: UTF8.self) + "\n")
    }
}

extension CommandDescription {
    static let schema = CommandDescription(
        name: .schema,
        summary: "Print the JSON Schema of the configuration.",
        details: """
            Prints the schema (draft 2020-12) of every key, with its type, range, default and meaning: for editors that \
            complete and check YAML, and for programs that write configurations. The same is in the retained topic \
            bridge/info of a running bridge.
            """,
        positional: .none,
        options: [],
        examples: [
            Example(
                command: "nearby-bridge schema",
                explanation: "Into a file that \"# yaml-language-server: $schema=FILE\" names in the first line."
            )
        ]
    )
}
