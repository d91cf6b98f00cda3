// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The keys of reports that come from elsewhere.
extension ConfigurationKey {
    static let mapping: [ConfigurationKey] = groups + sources + inputs + outputs

    private static let outputs: [ConfigurationKey] = [
        .init(
            "outputs.mqtt_room",
            .text(.topic),
            "Publish distances of named peers below this topic, for Home Assistant's mqtt_room.",
            .live
        ),
        .init(
            "outputs.omlox",
            .text(.foreignTopic),
            "Publish zone events as omlox fence events below these levels, such as /omlox/json.",
            .live
        ),
    ]

    private static let groups: [ConfigurationKey] = [
        .init("groups.*", .list(.text(.identifier)), "Accessories that belong together.", [.live, .unbuilt])
    ]

    private static let sources: [ConfigurationKey] =
        [
            .init(
                "sources[].topic",
                .text(.topicPattern),
                "Foreign topic; levels may be {accessory}, {peer}, {anchor}, or + for any."
            ),
            .init("sources[].preset", .choice(SourcePreset.words), "Ready-made mapping of a product."),
            .init("sources[].prefix", .text(.foreignTopic), "First levels of the preset's topics."),
            .init("sources[].format", .rangeFormat, "Format of its payloads; default auto, or the preset's."),
            .init("sources[].accessory", .text(.identifier), "The accessory, if the topic does not name it."),
            .init("sources[].peer", .text(.identifier), "The peer, if the topic does not name it."),
            .init(
                "sources[].zones_around",
                .choice(["anchors", "tags"]),
                "Which end of a report is the accessory, if nothing else says so; default anchors."
            ),
            .init(
                "sources[].names.*",
                .text(.identifier),
                "What the bridge calls who is called so there: a name, or an address such as 0x1782."
            ),
            .init(
                "sources[].anchors.*",
                .list(.number(.coordinate), count: 2...3),
                "Where an anchor stands, [x, y] or [x, y, z]: for sources that tell positions."
            ),
            .init("sources[].horizontal", .boolean, "Leave heights out of distances; default false."),
            .init(
                "sources[].unit",
                .choice(LengthUnit.words),
                "Unit of its distances and coordinates, if it is not the format's own."
            ),
            .init("sources[].lost_after", .lostAfter, "Overrides lost_after for its accessories."),
            .init(
                "sources[].reports",
                .choice(["stream", "by_exception"]),
                "by_exception: it speaks only on change; default stream."
            ),
            .init("sources[].each", .text(.line), "Path of the list whose elements are the reports, if there is one."),
            .init(
                "sources[].ok",
                .list(.text(.line)),
                "Values of fields.status that mean success; default ok and true."
            ),
        ] + fields

    /// The fields of nobody's JSON, each with what stands there.
    private static let fields: [ConfigurationKey] = [
        ("distance", "metres"), ("peer", "the other end"), ("reporter", "who measured, or whose position it is"),
        ("x", "metres"), ("y", "metres"), ("z", "metres"), ("azimuth", "degrees"), ("elevation", "degrees"),
        ("quality", "0 to 1"), ("rssi", "dBm"), ("nlos", "whether something was in the way"), ("sequence", "a counter"),
        ("timestamp", "seconds, milliseconds or ISO 8601"), ("status", "ok, or a value of ok"),
    ].map { name, meaning in .init("sources[].fields.\(name)", .text(.line), "Path in its JSON: \(meaning).") }

    private static let inputs: [ConfigurationKey] = [
        .init("inputs[].serial", .text(.path), "Serial device to read reports from.", .unbuilt),
        .init("inputs[].baud", .integer(1200...4_000_000), "Speed of the serial device.", .unbuilt),
        .init("inputs[].udp", .integer(1...65_535), "UDP port to read reports from.", .unbuilt),
        .init("inputs[].format", .rangeFormat, "Format of what comes in; default auto.", .unbuilt),
        .init("inputs[].accessory", .text(.identifier), "The accessory that the reports belong to.", .unbuilt),
    ]
}
