// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The commands that study what accessories measure.
extension CommandDescription {
    private static func listening(default text: String, _ help: String) -> CommandOption {
        .value(
            "duration",
            "TIME",
            .duration(.milliseconds(100)...(.seconds(86_400)), .always),
            default: text,
            help
        )
    }

    private static let peer = CommandOption.value(
        "peer",
        "NAME",
        .text(.identifier),
        "Only this peer, by the name or the radio address that reports or the configuration have for it."
    )

    static let calibrate = CommandDescription(
        name: .calibrate,
        summary: "Find an accessory's distance offset from known distances.",
        details: """
            Listens to the reports of one accessory while somebody stands still at a distance that was measured with a             tape, and prints the distance_offset that makes the median right, with the spread, what was left out, the             drift, and how certain the median is. Two or more distances, at least 2 m apart, give distance_scale as             well. Reports are read as the bridge reads them, before offset and scale. With --from recordings, walks or             logs are read instead of the broker. The running bridge is told only with --write.
            """,
        positional: .none,
        options: [
            .value("accessory", "ID", .text(.identifier), "Whose distances. Needed."),
            peer,
            .value(
                "at",
                "METRES",
                .number(.metresAboveZero),
                isRepeatable: true,
                "The true distance. Needed."
            ),
            listening(default: "30s", "How long to listen at each distance."),
            .value(
                "from",
                "FILE",
                .text(.path),
                isRepeatable: true,
                "Read a file instead of the broker: one for each --at, in the same order."
            ),
            .flag("no-prompt", "Begin at once, even on a terminal, instead of waiting for Enter at each distance."),
            .flag("write", "Tell the running bridge, which keeps it over restarts."),
            .flag("json", "Print one JSON object."),
        ] + configuration,
        examples: [
            Example(
                command: "nearby-bridge calibrate --accessory forklift-17 --at 1.00",
                explanation: "Stand at one metre and press Enter; then paste what it prints."
            ),
            Example(
                command: "nearby-bridge calibrate --accessory forklift-17 --at 1 --at 5 --write",
                explanation: "Offset and scale, and the running bridge has them at once."
            ),
            Example(
                command: "nearby-bridge calibrate --accessory lamp --at 2 --from two-metres.jsonl",
                explanation: "From what nearby-bridge record wrote."
            ),
        ],
        failures: [.badData, .unavailable]
    )

    static let advise = CommandDescription(
        name: .advise,
        summary: "Find the radius, hysteresis and holds that fit what is measured.",
        details: """
            Reads recordings, walks and logs, or listens to the broker for a while, and says for each accessory and peer             how often and how regularly distances come, how many rounds fail, how many gross errors there are, and how             much distances scatter while somebody stands still. From that it puts together a day of somebody who stands             exactly on the radius, or in the middle of the band, runs it through the very code that runs live, and             counts what nobody should see. Suggests what to change, with the reason, as lines for the configuration, or             says that nothing has to change. Have somebody stand still on the radius for a minute.
            """,
        positional: .zeroOrMore("FILE"),
        options: [
            .value("accessory", "ID", .text(.identifier), "Only this accessory; walks and logs are taken for its."),
            peer,
            listening(default: "60s", "How long to listen, without files."),
            .value(
                "radius",
                "METRES",
                .number(.metresAboveZero),
                isRepeatable: true,
                "A radius to study instead of those of the configured zones."
            ),
            .value(
                "stay",
                "TIME",
                .duration(.seconds(60)...(.seconds(7 * 86_400)), .always),
                default: "24h",
                "How long somebody stands at the bounds in each trial; at high rates it is cut to a million distances."
            ),
            .flag("json", "Print one JSON object."),
        ] + configuration,
        examples: [
            Example(
                command: "nearby-bridge advise --accessory forklift-17 --duration 2m",
                explanation: "Two minutes of what comes now."
            ),
            Example(
                command: "nearby-bridge advise walk.jsonl.gz --radius 1 --radius 2.5",
                explanation: "Would these radii do, by what was recorded?"
            ),
        ],
        failures: [.badData, .unavailable]
    )
}
