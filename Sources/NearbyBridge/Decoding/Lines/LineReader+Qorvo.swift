// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// `SESSION_INFO_NTF: {…, sequence_number=0, … [mac_address=0x0001, status="SUCCESS", distance[cm]=91, …]; […]}`.
extension LineReader {
    /// Reads the pairs of a notification up to its last brace.
    mutating func readQorvoNotification() {
        guard take("SESSION_INFO_NTF:") else { return }
        var depth = 0
        while let byte = next {
            switch byte {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                guard depth > 0 else { return move(to: offset + 1) }
            case 0...0x20, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "["), UInt8(ascii: "]"): break
            default:
                readPair()
                continue
            }
            move(to: offset + 1)
        }
    }

    private mutating func readPair() {
        let key = token(upTo: "=,;{}\r\n")
        guard take("=") else { return addUnused("", key) }
        // Between quotation marks anything may stand.
        let start = offset
        if take("\""), let close = bytes[offset..<end].firstIndex(of: UInt8(ascii: "\"")) {
            move(to: close + 1)
        } else {
            _ = token(upTo: ",;]} \t\r\n")
        }
        let (place, value) = (text(key), start..<offset)
        switch place {
        case "sequence_number": add(place, value, "seq", .counter)
        case "mac_address": add(place, value, "peer", .address)
        case "status": add(place, value, "status", .status(ok: "SUCCESS"))
        case "distance[cm]": add(place, value, "distance", .distance(metres: 0.01), "centimetres")
        case "loc_az": add(place, value, "azimuth", .angle(limit: 180))
        case "loc_el": add(place, value, "elevation", .angle(limit: 90))
        case "RSSI[dBm]": add(place, value, "rssi", .strength)
        default: addUnused(place, value)
        }
    }
}
