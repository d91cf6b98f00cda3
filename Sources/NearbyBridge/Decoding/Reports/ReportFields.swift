// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The fields of a payload of range reports, whatever its format.
struct ReportFields {
    /// Every value, in order.
    private(set) var fields: [ReportField] = []
    /// What is unusual, besides the warnings of fields.
    private(set) var warnings: [String] = []
    private let payload: [UInt8]
    private let format: RangeFormat

    /// Reads a payload in which records begin at these places: those that the format's decoder has found.
    init(_ payload: [UInt8], _ format: RangeFormat, begins: [Int]) {
        self.payload = payload
        self.format = format
        switch format {
        case .uci, .linktrack: explainPackets()
        case .json, .auto, .espresense, .omlox, .drtls, .pozyx:
            let start = payload.firstIndex { $0 > 0x20 } ?? 0
            readJSON(from: start)
        case .qorvo, .pans, .eliko, .makerfabs, .dw1000, .trek:
            let places = begins.sorted()
            addUnused(0..<(places.first ?? payload.count))
            for (index, start) in places.enumerated() {
                readRecord(start..<(index + 1 < places.count ? places[index + 1] : payload.count))
            }
        }
    }

    // MARK: Packets

    private mutating func explainPackets() {
        let places = format == .uci ? HexadecimalPlaces(payload) : nil
        let bytes = places?.bytes ?? payload
        var packets: [DecodedField] = []
        if format == .uci {
            let explainer = UCIExplainer(bytes)
            (packets, warnings) = (explainer.fields, explainer.warnings)
        } else if let frames = try? Explanation(DecodeInput(bytes: bytes), as: .linktrack, showsSecrets: false) {
            (packets, warnings) = (frames.fields, frames.warnings)
        }
        var naming = PacketNaming(packets)
        for packet in packets {
            let range = packet.offset..<packet.offset + packet.bytes.count
            fields.append(naming.field(packet, at: places?.range(of: range) ?? range))
        }
    }

    // MARK: JSON

    /// Reads the value that begins here and returns where it ends.
    @discardableResult
    private mutating func readJSON(from start: Int) -> Int {
        let walk = JSONLeaves(payload, from: start)
        var rest = walk.leaves[...]
        while let first = rest.first {
            // Each element of a list of objects is a report of its own.
            let element = first.path.first == "[" ? first.path.prefix { $0 != "]" } : ""
            let leaves = rest.prefix { $0.path.hasPrefix(element) }
            rest = rest.dropFirst(max(1, leaves.count))
            let hasPosition = leaves.contains {
                $0.path.dropFirst(element.count).drop { "].".contains($0) }.hasPrefix("position")
            }
            guard let table = JSONFieldTable(format, hasPosition: hasPosition) else { continue }
            fields += table.fields(of: Array(leaves), in: payload)
        }
        return walk.end
    }

    // MARK: Lines

    private mutating func readRecord(_ range: Range<Int>) {
        guard let first = payload[range].first else { return }
        var end = range.lowerBound
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            end = readJSON(from: range.lowerBound)
        } else {
            let isNotification = format == .qorvo
            let line = payload[range].firstIndex { !isNotification && Self.endsLine($0) } ?? range.upperBound
            var reader = LineReader(payload, range.lowerBound..<line)
            switch format {
            case .qorvo: reader.readQorvoNotification()
            case .pans: reader.readPANS()
            case .eliko: reader.readEliko()
            case .makerfabs: reader.readMakerfabs()
            case .dw1000: reader.readDW1000()
            case .trek: reader.readTREK()
            case .json, .auto, .espresense, .omlox, .drtls, .pozyx, .uci, .linktrack: break
            }
            fields += reader.fields
            end = reader.offset
            warnOfRest(end..<line)
        }
        addUnused(min(end, range.upperBound)..<range.upperBound)
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == 0
    }

    /// The shell's lines have more behind their distances; in others nothing should follow.
    private mutating func warnOfRest(_ range: Range<Int>) {
        let count = payload[range].count { $0 > 0x20 }
        guard format != .pans, format != .qorvo, count > 0 else { return }
        warnings.append("\(Plural.of(count, "byte")) behind the record at its line's end, not used")
    }

    /// Adds what no record is made of, a field for each line.
    private mutating func addUnused(_ range: Range<Int>) {
        for line in payload[range].split(whereSeparator: Self.endsLine(_:)) {
            guard let first = line.firstIndex(where: { $0 > 0x20 }), let last = line.lastIndex(where: { $0 > 0x20 })
            else { continue }
            fields.append(ReportField(range: first..<last + 1, place: "", name: nil, meaning: "not used"))
        }
    }
}
