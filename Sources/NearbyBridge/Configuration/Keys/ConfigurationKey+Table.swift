// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The table of every key: a new key is a line here, and everything else follows from it.
extension ConfigurationKey {
    /// Every key, in the order of the reference.
    public static let all: [ConfigurationKey] =
        broker + session + rounds + ranging + limits + sessionLimits + accessories + occupancy + mapping
        + surroundings

    /// The zones that exist without a `zones:` section, inner first, with the radius that their names stand for.
    public static let defaultZones: [(name: String, radius: Double)] = [("immediate", 1.5), ("near", 3.0)]

    private static let file = ConfigurationType.text(.path)
    private static let day = Duration.seconds(86_400)

    private static let broker: [ConfigurationKey] = [
        .init("mqtt.host", .text(.host), default: "localhost", "Name or address of the broker."),
        .init("mqtt.port", .integer(1...65_535), default: "1883", "Port of the broker."),
        .init("mqtt.base_topic", .text(.topic), default: "nearby", "First levels of every topic; may contain '/'."),
        .init("mqtt.protocol", .choice(["5", "3.1.1"]), default: "5", "MQTT version to speak."),
        .init(
            "mqtt.client_id",
            .text(.clientIdentifier),
            "Client identifier; default nearby-bridge, with any other base topic appended."
        ),
        .init("mqtt.username", .text(.line), "User name for the broker."),
        .init("mqtt.password", .text(.line), "Password for the broker; rather use password_file.", .secret),
        .init("mqtt.password_file", file, "File whose first line is the password."),
        .init("mqtt.keep_alive", .duration(.seconds(5)...day / 2, .always), default: "15s", "MQTT keep-alive."),
        .init(
            "mqtt.session_expiry",
            .duration(.seconds(1)...day * 365, .orNever),
            default: "10m",
            "How long the broker keeps our session while we are away (MQTT 5)."
        ),
        .init(
            "mqtt.report_qos",
            .integer(0...1),
            default: "0",
            "Quality of service for range reports; 1 only if they carry timestamps."
        ),
        .init("mqtt.retain", .boolean, default: "true", "Whether states are retained; events never are."),
        .init("mqtt.tls.enabled", .boolean, default: "false", "Encrypt the connection to the broker."),
        .init("mqtt.tls.ca", file, "Authority that signed the broker's certificate; default the system's."),
        .init("mqtt.tls.certificate", file, "Our certificate, if the broker asks for one."),
        .init("mqtt.tls.key", file, "The key of our certificate."),
        .init("mqtt.tls.key_passphrase", .text(.line), "Passphrase of the key; rather use the file.", .secret),
        .init("mqtt.tls.key_passphrase_file", file, "File whose first line is the passphrase of the key."),
        .init("mqtt.tls.server_name", .text(.host), "Name in the broker's certificate, if it is not mqtt.host."),
        .init("mqtt.tls.insecure", .boolean, default: "false", "Accept any certificate: for tests only."),
        .init(
            "join",
            .choice(["open", "approve", "allowlist"]),
            default: "open",
            "Which accessories are taken: any, those approved, or those listed under accessories.",
            .live
        ),
    ]

    private static let session: [ConfigurationKey] = [
        .init(
            "session.shareable",
            .choice(["mint", "relay", "auto"]),
            default: "mint",
            "Who makes shareable configuration data: the bridge, the phone, or the phone if it has a name.",
            .live
        ),
        .init(
            "session.required",
            .boolean,
            default: "false",
            "Refuse reports outside a session.",
            .live
        ),
        authorization("session.authorization", default: "open", "ask: nothing ranges before it is allowed."),
        .init("session.country", .text(.country), default: "EU", "Regulatory area.", .live),
        .init("session.channel", .integer(5...14), default: "9", "UWB channel.", .live),
        .init("session.preamble", .integer(9...32), default: "11", "Preamble code.", .live),
        timeout("configuration", "5s", "Longest wait for the accessory's configuration data."),
        timeout("shareable", "5s", "Longest wait for the phone's shareable data."),
        timeout("start", "3s", "Longest wait for the first valid range."),
        timeout("silence", "5s", "Without a valid range for so long, a session is silent."),
        timeout("stop", "2s", "Longest wait for the accessory to stop."),
        timeout("suspended", "60s", "Longest suspension before the session ends."),
        timeout("offline_grace", "5s", "Grace after an accessory went offline."),
        .init("session.retry.attempts", .integer(0...10), default: "3", "Runs tried again.", .live),
        .init(
            "session.retry.backoff",
            .list(.duration(.milliseconds(100)...day, .always)),
            default: "[1s, 2s, 4s]",
            "Pause before each attempt.",
            .live
        ),
        .init(
            "session.retry.idle",
            .duration(.seconds(1)...day, .orNever),
            default: "60s",
            "Pause between quiet starts afterwards.",
            .live
        ),
    ]

    private static func timeout(_ name: String, _ text: String, _ help: String) -> ConfigurationKey {
        .init(
            "session.timeouts.\(name)",
            .duration(.milliseconds(100)...day, .always),
            default: text,
            help,
            .live
        )
    }

    private static let ranging: [ConfigurationKey] =
        [
            .init(
                "zones.*.radius",
                .number(.metresAboveZero),
                "Enter below this distance; immediate has 1.5 and near 3.0, any other zone must give it.",
                .live
            )
        ] + zoneOptions("zones.*") + [
            .init(
                "smoothing.filter",
                .choice(["default", "ema", "median", "kalman", "one_euro", "none"]),
                default: "default",
                "How distances are smoothed.",
                .live
            ),
            .init("smoothing.alpha", .number(.fraction), "ema: weight of the newest distance, 0 to 1.", .live),
            .init(
                "smoothing.time_constant",
                .duration(.milliseconds(1)...(.seconds(60)), .always),
                "ema: time in which an old distance fades, instead of alpha.",
                .live
            ),
            .init(
                "smoothing.window",
                .duration(.milliseconds(50)...(.seconds(10)), .always),
                "median: how far back it looks, over 16 reports at most; default 700ms.",
                .live
            ),
            .init("smoothing.process_noise", .number(.aboveZero), "kalman: acceleration in m/s².", .live),
            .init("smoothing.measurement_noise", .number(.metresAboveZero), "kalman: deviation in metres.", .live),
            .init("smoothing.min_cutoff", .number(.aboveZero), "one_euro: cut-off at rest in Hz.", .live),
            .init("smoothing.beta", .number(.zeroOrMore), "one_euro: cut-off per speed in 1/m.", .live),
            .init("smoothing.gate_speed", .number(.aboveZero), "Fastest believed change in m/s.", .live),
            .init("smoothing.gate_slack", .number(.metresAboveZero), "Always believed change in metres.", .live),
            .init(
                "state_interval",
                .duration(.milliseconds(100)...(.seconds(3600)), .always),
                default: "1s",
                "Shortest time between two state messages of one accessory that differ in distance only.",
                .live
            ),
            .init(
                "event_expiry",
                .duration(.seconds(1)...day, .always),
                default: "60s",
                "An event older than this is not published any more.",
                .live
            ),
            .init(
                "peer_forget",
                .duration(.seconds(1)...day * 365, .orNever),
                default: "1h",
                "An unconfigured peer is forgotten after so long without a report.",
                .live
            ),
            .init(
                "lost_after",
                .lostAfter,
                default: "10s",
                "Without a valid report for so long, a peer is lost.",
                .live
            ),
        ]

    /// What a zone, and everything that overrides one, may set beside the radius.
    private static func zoneOptions(_ prefix: String) -> [ConfigurationKey] {
        [
            .init(
                "\(prefix).hysteresis",
                .number(.metresAboveZero),
                "Leave above radius plus this; default the larger of 0.3 m and 10 % of the radius.",
                .live
            ),
            .init("\(prefix).enter_hold", .hold, "How long the distance must stay below to enter; default 0s.", .live),
            .init(
                "\(prefix).exit_hold",
                .hold,
                "How long the distance must stay above to leave; default 200ms.",
                .live
            ),
            .init("\(prefix).lost_after", .lostAfter, "Overrides lost_after.", .live),
            .init(
                "\(prefix).dwell",
                .duration(.milliseconds(100)...day * 365, .orNever),
                "Send zone_dwell after so long inside; default never.",
                .live
            ),
            .init("\(prefix).enabled", .boolean, "false: the zone is not there; default true.", .live),
        ] + sectorOptions(prefix)
    }

    /// What makes a zone a sector.
    private static func sectorOptions(_ prefix: String) -> [ConfigurationKey] {
        [
            .init(
                "\(prefix).azimuth.from",
                .number(.degrees),
                "With azimuth.to: only these directions count, in degrees as reports have them.",
                .live
            ),
            .init(
                "\(prefix).azimuth.to",
                .number(.degrees),
                "Where they end; from 150 to -150 is what lies behind.",
                .live
            ),
            .init(
                "\(prefix).azimuth_hysteresis",
                .number(.turn),
                "Leave when this far outside azimuth; default 10.",
                .live
            ),
            .init(
                "\(prefix).azimuth_quality",
                .number(.percent),
                "An angle with a lower figure of merit does not count; default 50.",
                .live
            ),
        ]
    }

    /// A zone for one accessory or one peer.
    private static func zoneOverrides(_ prefix: String) -> [ConfigurationKey] {
        [.init("\(prefix).radius", .number(.metresAboveZero), "Overrides the zone's radius.", .live)]
            + zoneOptions(prefix)
    }

    private static let limits: [ConfigurationKey] = [
        .init("limits.accessories", .integer(1...1_000_000), default: "10000", "Accessories at most.", .live),
        .init("limits.peers", .integer(1...10_000), default: "64", "Peers of one accessory at most.", .live),
        .init(
            "limits.payload",
            .byteSize(64...1 << 28),
            default: "64KiB",
            "Larger messages are dropped.",
            .live
        ),
        .init(
            "limits.report_rate",
            .integer(1...1_000_000),
            default: "100",
            "Reports a second of one accessory at most.",
            .live
        ),
        .init(
            "limits.state_rate",
            .integer(1...1_000_000),
            default: "2000",
            "State messages a second over all accessories at most.",
            .live
        ),
        .init(
            "limits.outbox",
            .byteSize(64 << 10...4 << 30),
            default: "16MiB",
            "Memory for messages that wait for the broker.",
            .live
        ),
    ]

    private static let accessories: [ConfigurationKey] =
        [
            .init("accessories.*.name", .text(.line), "Name for people; default the identifier.", .live),
            .init(
                "accessories.*.distance_offset",
                .number(.metres),
                default: "0.0",
                "Added to each distance, after distance_scale.",
                .live
            ),
            .init(
                "accessories.*.distance_scale",
                .number(.aboveZero),
                default: "1.0",
                "Each distance is multiplied by it.",
                .live
            ),
            .init("accessories.*.format", .rangeFormat, default: "auto", "Format of its range reports.", .live),
            .init(
                "accessories.*.reports",
                .choice(["stream", "by_exception"]),
                default: "stream",
                "by_exception: it speaks only on change.",
                .live
            ),
            .init("accessories.*.lost_after", .lostAfter, "Overrides lost_after.", .live),
            .init(
                "accessories.*.shareable",
                .choice(["mint", "relay", "auto"]),
                "Overrides session.shareable.",
                .live
            ),
            authorization("accessories.*.authorization", "Overrides session.authorization."),
        ] + exchange("accessories.*") + abilities("accessories.*") + [place] + zoneOverrides("accessories.*.zones.*")
        + [
            .init("accessories.*.peers.*.name", .text(.identifier), "Names the peer in topics.", .live),
            .init("accessories.*.peers.*.distance_offset", .number(.metres), "Overrides the accessory's.", .live),
            .init("accessories.*.peers.*.distance_scale", .number(.aboveZero), "Overrides the accessory's.", .live),
            authorization("accessories.*.peers.*.authorization", "Overrides the accessory's."),
            .init("accessories.*.peers.*.lost_after", .lostAfter, "Overrides lost_after.", .live),
            .init(
                "accessories.*.peers.*.radio",
                .boolean,
                default: "false",
                "A FiRa radio that the bridge drives.",
                .live
            ),
        ] + abilities("accessories.*.peers.*") + zoneOverrides("accessories.*.peers.*.zones.*")

    private static let surroundings: [ConfigurationKey] =
        [
            .init("state.path", file, "Folder for what must survive a restart, or none; by default the system's."),
            .init(
                "state.sync",
                .choice(["normal", "full"]),
                default: "normal",
                "full survives a power cut, normal a crash."
            ),
            .init("home_assistant.discovery", .boolean, default: "true", "Announce accessories.", [.live, .unbuilt]),
            .init(
                "home_assistant.prefix",
                .text(.topic),
                default: "homeassistant",
                "Discovery prefix.",
                [.live, .unbuilt]
            ),
            .init(
                "home_assistant.default_entity_id",
                .boolean,
                default: "true",
                "Propose entity ids.",
                [.live, .unbuilt]
            ),
            .init(
                "home_assistant.device_tracker",
                .boolean,
                default: "false",
                "Announce device trackers too.",
                [.live, .unbuilt]
            ),
            .init("http.enabled", .boolean, default: "true", "Serve the web page and the API.", .unbuilt),
            .init("http.host", .text(.host), default: "127.0.0.1", "Address to listen on.", .unbuilt),
            .init("http.port", .integer(1...65_535), default: "8080", "Port to listen on.", .unbuilt),
            .init("http.token_file", file, "File whose first line is the bearer token.", .unbuilt),
            .init("shards.count", .integer(1...1024), default: "1", "Number of shards.", .unbuilt),
            .init(
                "shards.owned",
                .list(.integer(0...1023)),
                default: "[0]",
                "Shards of this process.",
                .unbuilt
            ),
            .init(
                "log.level",
                .logLevel,
                default: "info",
                "The least important lines to print.",
                .live
            ),
            .init("log.format", .choice(["text", "json"]), default: "text", "Text for people or JSON lines.", .live),
        ] + logLevels

    private static let logLevels: [ConfigurationKey] = LogSubsystem.words.map { word in
        .init("log.levels.\(word)", .logLevel, "Level of the lines about \(word); default log.level.", .live)
    }
}

/// Types that several keys share.
extension ConfigurationType {
    fileprivate static let logLevel = choice(LogLevel.words)
    fileprivate static let hold = duration(.zero...(.seconds(600)), .always)
    static let lostAfter = duration(.milliseconds(100)...(.seconds(86_400 * 365)), .orNever)
    static let rangeFormat = choice(
        [
            "auto", "json", "uci", "qorvo", "pans", "makerfabs", "dw1000", "trek", "linktrack", "eliko", "omlox",
            "espresense", "drtls", "pozyx",
        ]
    )
}
