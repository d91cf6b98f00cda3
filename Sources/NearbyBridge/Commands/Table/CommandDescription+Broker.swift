// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The commands that ask a broker something.
extension CommandDescription {
    private static func timeout(_ help: String) -> CommandOption {
        .value(
            "timeout",
            "TIME",
            .duration(.milliseconds(100)...(.seconds(600)), .always),
            default: "5s",
            help
        )
    }

    static let health = CommandDescription(
        name: .health,
        summary: "Say whether the running bridge is alive.",
        details: """
            Asks the bridge of this base topic over MQTT how it is, prints its main figures, and exits with 0 if it \
            answers. Needs the same configuration as the bridge, and disturbs nothing: made for probes of containers.
            """,
        positional: .none,
        options: [
            timeout("Longest wait for the broker and the bridge together."),
            .flag("json", "Print everything that the bridge says, as one JSON object."),
        ] + configuration,
        examples: [
            Example(command: "nearby-bridge health --config bridge.yaml", explanation: "One line, and an exit code."),
            Example(command: "nearby-bridge health --timeout 2s --json", explanation: "All figures."),
        ],
        failures: [.unavailable]
    )

    static let purge = CommandDescription(
        name: .purge,
        summary: "Remove everything that a bridge left with the broker.",
        details: """
            Removes every retained topic that the bridge of this base topic owns (zones, states and sessions of \
            accessories and their peers, bridge/info, state, health and accessories), and its discovery messages for \
            Home Assistant (below home_assistant.prefix). What accessories retain themselves (config, availability) stays. Prints what it removes. \
            Refuses while a bridge is alive there, because that would publish everything again.
            """,
        positional: .none,
        options: [
            .flag("dry-run", "Only print what would be removed."),
            .flag("force", "Do not ask whether a bridge is alive."),
        ] + configuration,
        examples: [
            Example(command: "nearby-bridge purge --dry-run", explanation: "What is there?"),
            Example(
                command: "nearby-bridge purge --set mqtt.base_topic=old/name",
                explanation: "After the base topic was changed."
            ),
        ],
        failures: [.unavailable]
    )

    static let record = CommandDescription(
        name: .record,
        summary: "Keep what accessories say, for replay.",
        details: """
            Writes everything that accessories publish and are told as JSON lines: t (seconds from the start), time, \
            topic, payload as text or payload_hex, qos and retained. Reconnects by itself; a gap is marked in the file \
            and told on standard error. Shareable configuration data is key material: of commands and shareable data \
            that hold it only the length is kept, unless --with-secrets is given. A file whose name ends in .gz is packed, \
            and can be read up to its last second though the recorder was killed.
            """,
        positional: .none,
        options: [
            .value(
                "output",
                "FILE",
                .text(.path),
                "File to write; it must not be there yet. Without it, standard output."
            ),
            .flag("overwrite", "Replace the file if it is there."),
            .value("accessory", "ID", .text(.identifier), isRepeatable: true, "Only this accessory."),
            .flag("with-secrets", "Keep key material too; the file is then readable by this user only."),
            duration,
        ] + configuration,
        examples: [
            Example(
                command: "nearby-bridge record --output walk.jsonl.gz --duration 2m",
                explanation: "Two minutes of every accessory; nearby-bridge replay walk.jsonl.gz shows what came of it."
            ),
            Example(
                command: "nearby-bridge record --accessory forklift-17",
                explanation: "One accessory, on standard output, until Ctrl-C."
            ),
        ],
        failures: [.unavailable]
    )

    static let doctor = CommandDescription(
        name: .doctor,
        summary: "Find what a connection to the broker fails at.",
        details: """
            Goes the way of a connection step by step: configuration, clock, name lookup, TCP, TLS, MQTT version, login, \
            and for each class of topics whether this user may read and write them. Each step is one line: ok, \
            failed with what to do about it, or skipped. Nothing stays with the broker, and a running bridge is left \
            in peace: topics are tried with empty messages of an accessory that does not exist, named doctor-….
            """,
        positional: .none,
        options: [
            timeout("Longest wait in each step."),
            .flag("json", "Print one JSON object."),
        ] + configuration,
        examples: [
            Example(
                command: "nearby-bridge doctor --config bridge.yaml",
                explanation: "With the bridge's configuration."
            ),
            Example(
                command: "nearby-bridge doctor --set mqtt.host=broker.lan --set mqtt.tls.enabled=true",
                explanation: "Before there is a file."
            ),
        ],
        failures: [.unavailable]
    )
}
