// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What stands where in the frames of LinkTrack (reference/uwb-reports.md section 5.5; nooploop-dev/nlink_unpack).
struct LinkTrackLayout {
    /// How a field is written; integers are little-endian.
    enum Coding: Equatable {
        /// Bytes that are not looked into.
        case raw(Int)
        /// What a node is.
        case role
        /// A number of so many bytes.
        case unsigned(Int)
        /// A time of four bytes.
        case milliseconds
        /// Two bytes.
        case millivolts
        /// Three bytes with a sign, of so many parts of this unit.
        case signed24(scale: Double, unit: String)
        /// Hundredths of a degree, two bytes with a sign.
        case angle
        /// Twice the strength of a signal below 0 dBm.
        case signal
        /// How long the data is that follows, in the lower four bits, and that data.
        case data

        /// Its bytes, without data that follows.
        var size: Int {
            switch self {
            case .raw(let count), .unsigned(let count): count
            case .role, .signal, .data: 1
            case .millivolts, .angle: 2
            case .signed24: 3
            case .milliseconds: 4
            }
        }
    }

    /// A field and its name.
    typealias Field = (name: String, coding: Coding)

    /// What the frame is called.
    var name: String
    /// Its fields before the records, those of its head (two bytes, and the length) left out.
    var fixed: [Field] = []
    /// The fields of each record.
    var record: [Field] = []

    private static let metres = Coding.signed24(scale: 1000, unit: "m")
    private static let metresPerSecond = Coding.signed24(scale: 10_000, unit: "m/s")
    private static let signals: [Field] = [("fp_rssi", .signal), ("rx_rssi", .signal)]

    /// The layout of the frame that two bytes name.
    init(_ header: UInt8, _ mark: UInt8) {
        switch (header, mark) {
        case (0x55, 0x00): self.init(name: "AnchorFrame0, whose distances are between other nodes")
        case (0x55, 0x01): self = Self.tag
        case (0x55, 0x02): self.init(name: "NodeFrame0, without distances")
        case (0x55, 0x03): self.init(name: "NodeFrame1, without distances")
        case (0x55, 0x04): self = Self.node2
        case (0x55, 0x05):
            self.init(name: "NodeFrame3", fixed: Self.node(id: 1), record: Self.range(id: 1) + Self.signals)
        case (0x55, 0x06): self.init(name: "NodeFrame4, without distances")
        case (0x55, 0x07):
            let angle: [Field] = [("azimuth", .angle)]
            let record = Self.range(id: 1) + angle + Self.signals + [("reserved", .raw(2))]
            self.init(name: "AOA NodeFrame0", fixed: Self.node(id: 1), record: record)
        case (0x55, 0x08):
            self.init(name: "NodeFrame5", fixed: Self.node(id: 4), record: Self.range(id: 4) + Self.signals)
        case (0x6A, 0x00): self = Self.internet
        default: self.init(name: "a frame without distances")
        }
    }

    private init(name: String, fixed: [Field] = [], record: [Field] = []) {
        self.name = name
        self.fixed = fixed
        self.record = record
    }

    private static func node(id: Int) -> [Field] {
        [
            ("role", .role), ("id", .unsigned(id)), ("local_time", .milliseconds), ("system_time", .milliseconds),
            ("reserved", .raw(4)), ("voltage", .millivolts), ("node_count", .unsigned(1)),
        ]
    }

    private static func range(id: Int) -> [Field] {
        [("role", .role), ("id", .unsigned(id)), ("distance", metres)]
    }

    private static func axes(_ name: String, _ coding: Coding) -> [Field] {
        ["x", "y", "z"].map { ("\(name)_\($0)", coding) }
    }

    private static var node2: LinkTrackLayout {
        let head: [Field] = [
            ("role", .role), ("id", .unsigned(1)), ("system_time", .milliseconds), ("precision", .raw(3)),
        ]
        let tail: [Field] = [
            ("reserved", .raw(9)), ("gyroscope", .raw(12)), ("acceleration", .raw(12)), ("reserved", .raw(12)),
            ("roll", .angle), ("pitch", .angle), ("yaw", .angle), ("quaternion", .raw(16)), ("reserved", .raw(4)),
            ("local_time", .milliseconds), ("reserved", .raw(10)), ("voltage", .millivolts),
            ("node_count", .unsigned(1)),
        ]
        let end: [Field] = [("system_time", .milliseconds), ("reserved", .raw(2))]
        return LinkTrackLayout(
            name: "NodeFrame2",
            fixed: head + axes("position", metres) + axes("velocity", metresPerSecond) + tail,
            record: range(id: 1) + signals + end
        )
    }

    private static var tag: LinkTrackLayout {
        let distances: [Field] = (0..<8).map { ("distance_\($0)", metres) }
        let tail: [Field] = [
            ("gyroscope", .raw(12)), ("acceleration", .raw(12)), ("reserved", .raw(12)), ("roll", .angle),
            ("pitch", .angle), ("yaw", .angle), ("quaternion", .raw(16)), ("reserved", .raw(4)),
            ("local_time", .milliseconds), ("system_time", .milliseconds), ("reserved", .raw(1)),
            ("precision", .raw(3)), ("voltage", .millivolts), ("reserved", .raw(5)),
        ]
        let head: [Field] = [("id", .unsigned(1)), ("role", .role)]
        return LinkTrackLayout(
            name: "TagFrame0",
            fixed: head + axes("position", metres) + axes("velocity", metresPerSecond) + distances + tail
        )
    }

    private static var internet: LinkTrackLayout {
        LinkTrackLayout(
            name: "IoT Frame0",
            fixed: [
                ("uid", .unsigned(4)), ("system_time", .milliseconds), ("io_status", .raw(1)),
                ("node_count", .unsigned(1)),
            ],
            record: [
                ("uid", .unsigned(4)), ("distance", metres), ("azimuth", .angle), ("elevation", .angle),
                ("fp_rssi", .signal), ("rx_rssi", .signal), ("data_length", .data),
            ]
        )
    }
}
