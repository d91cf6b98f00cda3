// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The lines of Makerfabs' modules and sketches.
extension LineReader {
    /// `AT+RANGE=tid:0,mask:01,seq:205,range:(90,0),rssi:(…),ancid:(…)`, `T1,mask:…`, `DIST: 3.21 m`.
    mutating func readMakerfabs() {
        if take("DIST:") {
            add("DIST", token(upTo: " m"), "distance", .distance(metres: 1))
            skip(" ")
            take("m")
            return
        }
        if !take("AT+RANGE="), take("T") {
            addTag("T", token(upTo: ","))
            take(",")
        }
        var mask: UInt64 = 0
        let hasAnchors = text(offset..<end).contains("ancid:")
        while let colon = bytes[offset..<end].firstIndex(of: UInt8(ascii: ":")) {
            let key = text(offset..<colon)
            move(to: colon + 1)
            if take("(") {
                readList(key, mask, hasAnchors: hasAnchors)
            } else {
                let range = token(upTo: ", ")
                switch key {
                case "mask":
                    mask = UInt64(text(range), radix: 16) ?? 0
                    let value = DecodedField.Value.number(Int64(clamping: mask), text(range))
                    add(key, range, nil, (value, nil), "slots that were measured, a bit each")
                case "seq": add(key, range, "seq", .counter)
                case "tid": addTag(key, range)
                default: addUnused(key, range)
                }
            }
            guard take(",") else { return }
        }
    }

    private mutating func addTag(_ place: String, _ range: Range<Int>) {
        add(place, range, "reporter", .identity, "the tag, which measured")
    }

    /// A list with an element for each slot; later firmware says in another which anchors the slots are.
    private mutating func readList(_ key: String, _ mask: UInt64, hasAnchors: Bool) {
        var slot = 0
        repeat {
            let range = token(upTo: ",)")
            let place = "\(key)[\(slot)]"
            let isMeasured = slot < 64 && mask >> UInt64(slot) & 1 == 1
            switch key {
            case _ where !isMeasured: addUnused(place, range, "not used: its bit in the mask is 0")
            case "range":
                let peer = hasAnchors ? "" : "of the peer \(RadioName.of(UInt64(slot))), "
                let meaning = FieldMeaning.distance(metres: 0.01, none: .notPositive)
                add(place, range, "distance", meaning, peer + "centimetres")
            case "rssi": add(place, range, "rssi", .strength)
            case "ancid":
                let isNone = (FieldMeaning.number(text(range)) ?? -1) < 0
                if isNone {
                    addUnused(place, range, "no anchor")
                    fields[fields.count - 1].warning = "no measurement: the slot has no anchor"
                } else {
                    add(place, range, "peer", .identity)
                }
            default: addUnused(place, range)
            }
            slot += 1
        } while take(",")
        take(")")
    }
}
