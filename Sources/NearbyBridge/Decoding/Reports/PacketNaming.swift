// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Gives the fields of packets the names that a report has for them.
struct PacketNaming {
    /// Whether the owner of the frame was named, so that the next id is another's.
    private var hasReporter = false
    private let clock: String

    /// Prepares for the fields of a payload.
    init(_ fields: [DecodedField]) {
        clock = fields.contains { $0.name == "local_time" } ? "local_time" : "system_time"
    }

    /// A field of a packet as one of the payload.
    mutating func field(_ packet: DecodedField, at range: Range<Int>) -> ReportField {
        var field = ReportField(
            range: range,
            place: packet.name,
            name: nil,
            value: packet.value,
            meaning: packet.meaning
        )
        switch packet.name {
        case "header": hasReporter = false
        case "mac_address": field.name = "peer"
        case "id", "uid":
            field.name = hasReporter ? "peer" : "reporter"
            hasReporter = true
            if case .number(let number, _) = packet.value {
                field.value = .text(RadioName.of(UInt64(clamping: number)))
            }
        case "sequence_number": field.name = "seq"
        case clock: field.name = "timestamp"
        case "rx_rssi", "rssi": field.name = "rssi"
        case "azimuth", "elevation", "nlos", "status": field.name = packet.name
        case let name where name == "distance" || name.hasPrefix("distance_"): nameDistance(&field)
        default: break
        }
        return field
    }

    private func nameDistance(_ field: inout ReportField) {
        field.name = "distance"
        guard case .quantity(let metres, _, _) = field.value else { return }
        if let slot = UInt64(field.place.dropFirst("distance_".count)) {
            let peer = "of the peer \(RadioName.of(slot))"
            guard metres != 0 else {
                field.name = nil
                return field.meaning = "no anchor"
            }
            field.meaning = peer
        }
        field.warning = FieldMeaning.distance(metres: 1).judge(metres, as: "").warning
    }
}
