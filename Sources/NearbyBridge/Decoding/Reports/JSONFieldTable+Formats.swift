// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The tables, one for each format that is JSON (reference/uwb-reports.md).
extension JSONFieldTable {
    /// The table of a format, `nil` if it has no JSON.
    init?(_ format: RangeFormat, hasPosition: Bool) {
        switch format {
        case .json, .auto: self = Self.own
        case .qorvo: self = Self.qorvo
        case .espresense: self = Self.espresense
        case .omlox: self = hasPosition ? Self.omloxLocation : Self.omloxProximity
        case .drtls: self = Self.drtls
        case .pozyx: self = Self.pozyx
        case .makerfabs: self = Self.makerfabs
        case .uci, .pans, .eliko, .dw1000, .trek, .linktrack: return nil
        }
    }

    private static let own = JSONFieldTable(
        fields: [
            KnownField("distance", "distance", .distance(metres: 1)),
            KnownField("peer", "peer", .name),
            KnownField("direction[]", "direction", .component, "x right, y up, z backwards"),
            KnownField("azimuth", "azimuth", .angle(limit: 180)),
            KnownField("elevation", "elevation", .angle(limit: 90)),
            KnownField("horizontal_angle", "horizontal_angle", .radians),
            KnownField("vertical", "vertical", .word),
            KnownField("quality", "quality", .quality(best: 1)),
            KnownField("nlos", "nlos", .word, "whether the path was obstructed"),
            KnownField("rssi", "rssi", .strength),
            KnownField("seq", "seq", .counter),
            KnownField("timestamp", "timestamp", .time(seconds: nil)),
            KnownField("run", "run", .counter),
            KnownField("status", "status", .status(ok: "ok")),
            KnownField("convergence.status", "convergence", .word),
            KnownField("convergence.reasons[]", "convergence", .reason),
            KnownField("position[0]", "x", .coordinate(metres: 1)),
            KnownField("position[1]", "y", .coordinate(metres: 1)),
            KnownField("position[2]", "z", .coordinate(metres: 1)),
            KnownField("world_position[]", "world_position", .coordinate(metres: 1)),
            KnownField("world_transform[12]", "world_position", .coordinate(metres: 1)),
            KnownField("world_transform[13]", "world_position", .coordinate(metres: 1)),
            KnownField("world_transform[14]", "world_position", .coordinate(metres: 1)),
            KnownField("world_transform[]", "world_transform", .word),
        ],
        lists: ["reports"]
    )

    private static let qorvo = JSONFieldTable(
        fields: [
            KnownField("Block", "seq", .counter),
            KnownField("Addr", "peer", .address),
            KnownField("Status", "status", .status(ok: "Ok")),
            KnownField("D_cm", "distance", .distance(metres: 0.01), "centimetres"),
            KnownField("LAoA_deg", "azimuth", .angle(limit: 180)),
            KnownField("LFoM", "azimuth_fom", .counter, "merit of the angle: with 0 there is none"),
            KnownField("Session Stopped", "status", .word, "why the session is over"),
        ],
        lists: ["results"]
    )

    private static let espresense = JSONFieldTable(
        fields: [
            KnownField("id", "peer", .identity),
            KnownField("mac", "peer_address", .identity, "the peer where id is none"),
            KnownField("distance", "distance", .distance(metres: 1), "estimated from the strength"),
            KnownField("rssi", "rssi", .strength),
        ]
    )

    private static let omloxTime = KnownField("timestamp_generated", "timestamp", .time(seconds: nil))

    private static let omloxProximity = JSONFieldTable(
        fields: [
            KnownField("source", "reporter", .identity, "who measured"),
            KnownField("provider_id", "peer", .identity),
            KnownField("accuracy", "distance", .distance(metres: 1), "a proximity's accuracy is its distance"),
            omloxTime,
        ]
    )

    private static let omloxLocation = JSONFieldTable(
        fields: [
            KnownField("source", "source", .identity),
            KnownField("provider_id", "reporter", .identity, "whose position it is"),
            KnownField("position.type", "shape", .word),
            KnownField("position.coordinates[0]", "x", .coordinate(metres: 1)),
            KnownField("position.coordinates[1]", "y", .coordinate(metres: 1)),
            KnownField("position.coordinates[2]", "z", .coordinate(metres: 1)),
            KnownField("crs", "status", .status(ok: "local"), "only local coordinates are metres of the anchors"),
            omloxTime,
        ]
    )

    private static func axes(_ path: String, metres: Double) -> [KnownField] {
        ["x", "y", "z"].map { KnownField("\(path).\($0)", $0, .coordinate(metres: metres)) }
    }

    private static let drtls = JSONFieldTable(
        fields: axes("position", metres: 1) + axes("configuration.anchor.position", metres: 1) + [
            KnownField("position.quality", "quality", .quality(best: 100)),
            KnownField("timestamp", "timestamp", .time(seconds: 1e-6), "microseconds"),
            KnownField("configuration.nodeType", "node_type", .word),
            KnownField("present", "present", .word, "false: the node is gone"),
        ]
    )

    private static let pozyx = JSONFieldTable(
        fields: axes("data.coordinates", metres: 0.001) + [
            KnownField("tagId", "reporter", .name, "whose position it is"),
            KnownField("timestamp", "timestamp", .time(seconds: 1)),
            KnownField("success", "status", .status(ok: "true")),
        ]
    )

    private static let makerfabs = JSONFieldTable(
        fields: [
            KnownField("id", "reporter", .identity, "the tag, which measured"),
            KnownField("A", "peer", .address),
            KnownField("R", "distance", .distance(metres: 1)),
            KnownField(
                "range[]",
                "distance",
                .distance(metres: 0.01, none: .empty),
                "centimetres, of the anchor with the number of its place; 0 where none is"
            ),
        ],
        lists: ["links"]
    )
}
