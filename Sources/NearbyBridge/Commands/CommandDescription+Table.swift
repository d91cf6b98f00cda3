// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The table of commands: help, parsing, completions and manual pages follow from it.
extension CommandDescription {
    static let configuration: [CommandOption] = [
        .value(
            "config",
            "FILE",
            .text(.path),
            "Configuration file. Without it ./nearby-bridge.yaml, else /etc/nearby-bridge/config.yaml, else defaults."
        ),
        .value(
            "set",
            "KEY=VALUE",
            nil,
            isRepeatable: true,
            "Set one key of the configuration; wins over file and environment."
        ),
    ]

    static let duration = CommandOption.value(
        "duration",
        "TIME",
        .duration(.milliseconds(100)...(.seconds(86_400 * 365)), .always),
        "End by itself after so long, such as 30s or 5m. Without it, Ctrl-C ends it."
    )

    static let run = CommandDescription(
        name: .run,
        summary: "Run the bridge.",
        details: """
            Connects to the broker, turns range reports into zone events, and publishes them. SIGTERM and SIGINT end it \
            in good order, SIGHUP reads the configuration again. Every key without a name of its own may also come from \
            the environment, as NEARBY_BRIDGE_<SECTION>_<KEY>.
            """,
        positional: .none,
        options: configuration,
        examples: [
            Example(command: "nearby-bridge run", explanation: "With the broker on this machine."),
            Example(
                command: "nearby-bridge run --config bridge.yaml --set log.level=debug",
                explanation: "With a configuration file, and more to read."
            ),
        ],
        failures: [.unavailable]
    )

    static let demo = CommandDescription(
        name: .demo,
        summary: "See it work: broker, bridge and recorded walks, nothing to configure.",
        details: """
            Starts a broker of its own on a free port, the bridge, and accessories that do the whole handshake and play \
            recorded walks, and prints session and zone events as they happen: one accessory without trouble, one whose \
            first start fails, one that falls silent for a while. Everything ends together.
            """,
        positional: .none,
        options: [duration],
        examples: [
            Example(command: "nearby-bridge demo", explanation: "Until Ctrl-C."),
            Example(command: "nearby-bridge demo --duration 30s", explanation: "For scripts."),
        ],
        failures: [.unavailable]
    )

    static let replay = CommandDescription(
        name: .replay,
        summary: "Put recorded reports through the zones, offline.",
        details: """
            Reads walks as CSV (t_s,measured_m[,true_m]), what nearby-bridge record wrote, and logs of a device in any \
            format of range reports, packed by gzip or not, and prints the events that the bridge would have \
            published, as fast as it can. Of a recording it takes the reports of every accessory, as if no session \
            had been needed for them. A log is what a serial port or a socket gave, lines or binary packets; its \
            accessory is called after the file. What stands before its lines tells the time ([00:00:03.831,174], \
            12:34:56.789, ISO 8601, seconds since 1970), else --rate, else the device's own timestamps, else there \
            are ten entries a second.
            """,
        positional: .oneOrMore("FILE"),
        options: configuration + [
            .value(
                "format",
                "NAME",
                .choice(RangeFormat.allCases.map(\.rawValue)),
                default: "auto",
                "Read the files as logs in this format: " + names(RangeFormat.allCases.map(\.rawValue))
            ),
            .value(
                "rate",
                "HZ",
                .number(NumberRange(minimum: 0, isMinimumAllowed: false, maximum: 1000, unit: "")),
                "Entries a second of logs whose lines do not tell the time."
            ),
            .flag("truth", "Compare with the true distances in the files and print how right the events were."),
            .flag("explain", "Say of each event why it fell: the threshold, the hold, and the last reports before it."),
            .flag(
                "compare",
                "With --truth: compare every filter of the configuration, and the rules of other programs, as recorded, at "
                    + "lower rates, with reports missing, and over many radii."
            ),
            .value(
                "simulated-walks",
                "N",
                .integer(0...1_000_000),
                default: "1000",
                "With --compare: so many simulated walks through the worst noise, too."
            ),
            .flag("json", "Print one JSON object a line."),
        ],
        examples: [
            Example(command: "nearby-bridge replay walk.csv", explanation: "The events of one walk."),
            Example(
                command: "nearby-bridge replay --truth --set zones.near.radius=2.5 *.csv",
                explanation: "How right a radius of 2.5 m would have been."
            ),
            Example(
                command: "nearby-bridge replay --explain walk.csv",
                explanation: "The events, and under each what the bridge made of the reports before it."
            ),
            Example(
                command: "nearby-bridge replay --truth --compare *.csv",
                explanation: "Whether any other filter would have done better."
            ),
            Example(
                command: "nearby-bridge replay --rate 5 minicom.log",
                explanation: "What the zones make of five lines a second from a serial port."
            ),
        ],
        failures: [.badData]
    )

    private static func names(_ words: [String]) -> String { words.joined(separator: ", ") + "." }

    private static let faults =
        "What goes wrong with every third accessory, beginning with the first. "
        + Fault.table.help + ". All but the last four need --handshake."

    private static let noise =
        "What is wrong with every distance, recorded or not; --noise is then 0 unless given. " + NoiseModel.table.help
        + "."

    static let simulate = CommandDescription(
        name: .simulate,
        summary: "Play accessories against a broker.",
        details: """
            Publishes range reports of accessories that are not there, to the broker of the configuration. With \
            --handshake they do what real firmware does: they send configuration data, obey what the bridge commands, \
            and report only while it has them range. Three kinds of firmware come in turn: one that says when it \
            ranges, one that says so before it does, one that never says so.
            """,
        positional: .none,
        options: [
            .value("accessories", "N", .integer(1...1_000_000), default: "1", "How many accessories."),
            .value(
                "rate",
                "HZ",
                .number(NumberRange(minimum: 0, isMinimumAllowed: false, maximum: 1000, unit: "")),
                default: "10",
                "Reports a second of each accessory."
            ),
            .value(
                "walk",
                "FILE",
                .text(.path),
                isRepeatable: true,
                "What to play: a recorded walk (CSV), what record wrote, or a device's log, packed by gzip or not. Of the "
                    + "last two each pair of accessory and peer is one. Several are taken in turn."
            ),
            .value(
                "noise",
                "METRES",
                .number(NumberRange(minimum: 0, isMinimumAllowed: true, maximum: 10, unit: "metres")),
                default: "0.05",
                "Standard deviation added to distances that are not recorded."
            ),
            .value(
                "noise-model",
                "NAME[:VALUE]",
                nil,
                isRepeatable: true,
                words: NoiseModel.table.names,
                noise
            ),
            .value(
                "format",
                "NAME",
                .choice(ReportEncoding.allCases.map(\.rawValue)),
                default: "json",
                "How reports are written: as the bridge's own JSON, or as a vendor's device would write them: "
                    + names(ReportEncoding.allCases.map(\.rawValue))
            ),
            .value("seed", "N", .integer(0...Int.max), default: "1", "The same seed gives the same reports."),
            .flag("handshake", "Do the whole Nearby Interaction handshake; the bridge then sets the rate."),
            .value(
                "spelling",
                "binary|json",
                .choice(FirmwareOptions.Spelling.allCases.map(\.rawValue)),
                default: "binary",
                "How accessories write configuration data, and are written to."
            ),
            .value(
                "fault",
                "NAME[:VALUE]",
                nil,
                isRepeatable: true,
                words: Fault.table.names,
                faults
            ),
            .flag("fault-all", "Give the faults to every accessory."),
            duration,
        ] + configuration,
        examples: [
            Example(
                command: "nearby-bridge simulate --accessories 100 --rate 10 --duration 1m",
                explanation: "A thousand reports a second for a minute."
            ),
            Example(
                command: "nearby-bridge simulate --walk walk.csv --set mqtt.host=broker.lan",
                explanation: "One recorded walk on another broker."
            ),
            Example(
                command: "nearby-bridge simulate --format uci --accessories 5",
                explanation: "Five UWB chips that speak FiRa UCI; there is no need to tell the bridge."
            ),
            Example(
                command: "nearby-bridge simulate --handshake --fault no_start:2 --fault stop:60",
                explanation: "A handshake that fails twice, and ranging that stops after a minute."
            ),
            Example(
                command: "nearby-bridge simulate --noise-model shadow:60 --noise-model spikes",
                explanation: "Bodies that step in the way once a minute, and gross errors."
            ),
        ],
        failures: [.badData, .unavailable]
    )

    static let decode = CommandDescription(
        name: .decode,
        summary: "Explain the bytes of an accessory field by field.",
        details: """
            Reads accessory configuration data (acd), shareable configuration data (scd), a data-channel message, \
            packets of FiRa UCI (uci), frames of Nooploop LinkTrack (linktrack), or range reports in any format \
            (report), from hexadecimal or base64 text, or from standard input as text or bytes, and prints every field \
            with its meaning, and what is unusual. Without a kind it finds out by itself. The key of a session is not \
            shown.
            """,
        positional: .any("[KIND] [HEX|BASE64|-]", words: DecodeCommand.kindNames),
        options: [
            .value(
                "format",
                "NAME",
                .choice(RangeFormat.allCases.map(\.rawValue)),
                default: "auto",
                "Read the bytes as range reports in this format: " + names(RangeFormat.allCases.map(\.rawValue))
            ),
            .flag("json", "Print one JSON object."),
            .flag("show-secrets", "Show the STS IV too, with which ranges could be forged."),
        ],
        examples: [
            Example(
                command: "nearby-bridge decode 01:00:01:00:19:45:55:4f:4f:00:00:0b:09:06:00:10:0e:b4…",
                explanation: "Bytes from a log; spaces, commas and 0x are fine as well."
            ),
            Example(
                command: "nearby-bridge decode acd --json -",
                explanation: "Of standard input, for example behind mosquitto_sub -C 1 -N -t TOPIC and a pipe."
            ),
            Example(
                command: "nearby-bridge decode uci -",
                explanation: "Packets that a UWB chip sent, field by field, also many in one file."
            ),
            Example(
                command: "nearby-bridge decode report -",
                explanation: "What the bridge makes of a report, and each of its fields."
            ),
        ],
        failures: [.badData]
    )

    static let version = CommandDescription(
        name: .version,
        summary: "Print the version.",
        details: "Prints the version of this program.",
        positional: .none,
        options: [],
        examples: [Example(command: "nearby-bridge version", explanation: "The version, and nothing else.")]
    )
}
