// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the shell of PANS firmware prints.
extension LineReader {
    /// `DIST,2,AN0,022E,7.94,8.03,0.00,3.44,…`, `022E[7.94,8.03,0.00]=3.38`, `POS,7.10,5.24,-2.03,53`.
    mutating func readPANS() {
        if take("POS,") {
            readPosition()
        } else if take("DIST,") {
            addUnused("count", token(upTo: ",;"), "anchors in the line")
            var number = 1
            while let start = nextAnchor() {
                move(to: start)
                readAnchor(number)
                number += 1
            }
        } else {
            add("anchor", token(upTo: "["), "peer", .address)
            take("[")
            readPlace(until: "]")
            guard take("]=") else { return }
            add("range", token(upTo: " \t"), "distance", .distance(metres: 1, none: .zero))
        }
    }

    /// Where the next `AN` stands.
    private func nextAnchor() -> Int? {
        var place = offset
        while place + 1 < end {
            if bytes[place] == UInt8(ascii: "A"), bytes[place + 1] == UInt8(ascii: "N") { return place }
            place += 1
        }
        return nil
    }

    private mutating func readAnchor(_ number: Int) {
        let stops = ",[];"
        addUnused("anchor \(number)", token(upTo: stops), "its number, not used")
        take(",")
        add("anchor \(number) address", token(upTo: stops), "peer", .address)
        take(",")
        readPlace(until: stops)
        let place = "anchor \(number) range"
        guard take("]=[") else {
            guard take(",") else { return }
            return add(place, token(upTo: stops), "distance", .distance(metres: 1, none: .zero))
        }
        add(place, token(upTo: stops), "distance", .distance(metres: 0.001, none: .zero), "millimetres")
        take(",")
        add("anchor \(number) quality", token(upTo: stops), "quality", .quality(best: 100))
        take("]")
    }

    /// The place of an anchor: three coordinates.
    private mutating func readPlace(until stops: String) {
        for (index, axis) in ["x", "y", "z"].enumerated() {
            if index > 0 { take(",") }
            let range = token(upTo: "," + stops)
            add("anchor's \(axis)", range, nil, FieldMeaning.coordinate(metres: 1).read(text(range)), "not used")
        }
    }

    private mutating func readPosition() {
        var columns: [Range<Int>] = []
        while columns.count < 7, offset < end {
            columns.append(token(upTo: ", \t"))
            guard take(",") else { break }
        }
        // A listening node puts a number and the tag before.
        if columns.count > 4, text(columns[1]).utf8.count == 4, !text(columns[1]).contains(".") {
            addUnused("number", columns[0])
            add("tag", columns[1], "reporter", .address, "whose position it is")
            columns.removeFirst(2)
        }
        for (axis, range) in zip(["x", "y", "z"], columns) { add(axis, range, axis, .coordinate(metres: 1)) }
        if columns.count > 3 { add("quality", columns[3], "quality", .quality(best: 100)) }
        for range in columns.dropFirst(4) { addUnused("more", range) }
    }
}
