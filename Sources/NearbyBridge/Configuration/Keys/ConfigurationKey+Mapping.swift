// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// The keys of reports that come from elsewhere.
extension ConfigurationKey {
    static let mapping: [ConfigurationKey] = sources + inputs + outputs

    /// Where an accessory stands, for reports that tell positions.
    static let place = ConfigurationKey(
        "accessories.*.position",
        .list(.number(.coordinate), count: 2...3),
        "Where it stands, [x, y] or [x, y, z], if its reports tell positions; with two, heights do not count.",
        .live
    )

    /// What a device can.
    static func abilities(_ section: String) -> [ConfigurationKey] {
        [
            .init(
                "\(section).capabilities",
                .list(.choice(Capabilities.names.map(\.key))),
                "What the device can, where it does not say so itself; [] for nothing of it.",
                .live
            )
        ]
    }

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

    private static let sources: [ConfigurationKey] =
        [
            .init(
                "sources[].topic",
                .text(.topicPattern),
                "Foreign topic; levels may be {accessory}, {peer}, {anchor}, or + for any."
            ),
            .init("sources[].preset", .choice(SourcePreset.words), "Ready-made mapping of a product."),
            .init("sources[].prefix", .text(.foreignTopic), "First levels of the preset's topics."),
        ] + meaning("sources[]", format: "default auto, or the preset's")

    private static let inputs: [ConfigurationKey] =
        [
            .init("inputs[].serial", .text(.path), "Serial device to read reports from, such as /dev/ttyACM0."),
            .init(
                "inputs[].baud",
                .choice(SerialPort.speeds.map { String($0) }),
                default: "115200",
                "Speed of the serial device."
            ),
            .init(
                "inputs[].init",
                .list(.text(.sent), count: 0...100),
                "Lines for the device when it is opened, half a second apart; CR LF is added if none ends it."
            ),
            .init(
                "inputs[].udp",
                .integer(1...65_535),
                "UDP port to read reports from, instead of serial; each datagram is a message of its own."
            ),
            .init(
                "inputs[].host",
                .text(.address),
                default: "0.0.0.0",
                "Address of this machine to receive UDP on; 0.0.0.0 is all of them, and takes anybody's reports."
            ),
        ] + meaning("inputs[]", format: "default auto")

    /// What reports mean that come from elsewhere, whichever way they come.
    private static func meaning(_ section: String, format: String) -> [ConfigurationKey] {
        [
            .init("\(section).format", .rangeFormat, "Format of its payloads; \(format)."),
            .init("\(section).accessory", .text(.identifier), "The accessory of all its reports, if there is but one."),
            .init("\(section).peer", .text(.identifier), "The peer of all its reports, if there is but one."),
            .init(
                "\(section).zones_around",
                .choice(["anchors", "tags"]),
                "Which end of a report is the accessory, if nothing else says so; default anchors."
            ),
            .init(
                "\(section).names.*",
                .text(.identifier),
                "What the bridge calls who is called so there: a name, or an address such as 0x1782."
            ),
            .init(
                "\(section).anchors.*",
                .list(.number(.coordinate), count: 2...3),
                "Where an anchor stands, [x, y] or [x, y, z]: for sources that tell positions."
            ),
            .init("\(section).horizontal", .boolean, "Leave heights out of distances; default false."),
            .init(
                "\(section).unit",
                .choice(LengthUnit.words),
                "Unit of its distances and coordinates, if it is not the format's own."
            ),
            .init("\(section).lost_after", .lostAfter, "Overrides lost_after for its accessories."),
            .init(
                "\(section).reports",
                .choice(["stream", "by_exception"]),
                "by_exception: it speaks only on change; default stream."
            ),
            .init(
                "\(section).each",
                .text(.line),
                "Path of the list whose elements are the reports, if there is one."
            ),
            .init(
                "\(section).ok",
                .list(.text(.line)),
                "Values of fields.status that mean success; default ok and true."
            ),
        ]
            + fields.map { name, meaning in
                .init("\(section).fields.\(name)", .text(.line), "Path in its JSON: \(meaning).")
            }
    }

    /// The fields of nobody's JSON, each with what stands there.
    private static let fields = [
        ("distance", "metres"), ("peer", "the other end"), ("reporter", "who measured, or whose position it is"),
        ("x", "metres"), ("y", "metres"), ("z", "metres"), ("azimuth", "degrees"), ("elevation", "degrees"),
        ("quality", "0 to 1"), ("rssi", "dBm"), ("nlos", "whether something was in the way"), ("sequence", "a counter"),
        ("timestamp", "seconds, milliseconds or ISO 8601"), ("status", "ok, or a value of ok"),
    ]
}
