// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Lines of modules that name their values.
extension LineReader {
    /// `from: 1782`, `Range: 1.23 m`, `RX power: -75.20 dBm`.
    mutating func readDW1000() {
        let blanks = " \t"
        if take("from:") { add("from", token(upTo: blanks), "peer", .address) }
        skip(blanks)
        if take("Range:") { add("Range", token(upTo: blanks + "m"), "distance", .distance(metres: 1)) }
        skip(blanks)
        take("m")
        let behind = offset
        skip(blanks)
        if take("RX power:") {
            add("RX power", token(upTo: blanks + "d"), "rssi", .strength)
            skip(blanks)
            take("dBm")
        } else {
            move(to: behind)
        }
    }

    /// `mc 0f 00000663 … 095f c1 00024c24 a0:0`: mask, ranges, counter, round, time, and whose they are.
    mutating func readTREK() {
        let isCorrected = sees("mc")
        addUnused("kind", token(upTo: " "), isCorrected ? "ranges, corrected" : "ranges, not corrected")
        let mask = column("mask", "slots that were measured")
        var slot = 0
        while let column = peekColumn(), column.count == 8, slot < 8 {
            let range = token(upTo: " ")
            let isMeasured = mask >> UInt64(slot) & 1 == 1
            let peer = "of the peer \(RadioName.of(UInt64(slot))), millimetres"
            if isMeasured {
                let bits = UInt32(text(range), radix: 16)
                let number = bits.flatMap { $0 == .max ? nil : Double(Int32(bitPattern: $0)) }
                let reading = FieldMeaning.distance(metres: 0.001).judge(number, as: text(range))
                add("range \(slot)", range, "distance", reading, peer)
            } else {
                addUnused("range \(slot)", range, "not used: its bit in the mask is 0")
            }
            slot += 1
        }
        column("range count", "with round and kind the counter", name: "seq")
        column("round", "")
        let time = column("time", isCorrected ? "milliseconds" : "not used: antenna delays", name: nil)
        if isCorrected, let last = fields.indices.last, fields[last].place == "time", time > 0 {
            fields[last].name = "timestamp"
            fields[last].value = .quantity(Double(time) / 1000, decimals: 3, unit: "s")
        }
        skip(" ")
        let role = offset
        guard let letter = next, letter == UInt8(ascii: "a") || letter == UInt8(ascii: "t") else { return }
        move(to: role + 1)
        addUnused("role", role..<offset, letter == UInt8(ascii: "a") ? "an anchor prints" : "a tag prints")
        let tag = token(upTo: ": ")
        let number = UInt64(text(tag))
        add("tag", tag, "reporter", (number.map { .text(RadioName.of($0)) } ?? .none, nil), "who measured")
        take(":")
        addUnused("anchor", token(upTo: " \t"), "who prints, not used")
    }

    private func peekColumn() -> Range<Int>? {
        var reader = self
        let range = reader.token(upTo: " ")
        return range.isEmpty ? nil : range
    }

    /// Reads a hexadecimal column and returns its number.
    @discardableResult
    private mutating func column(_ place: String, _ note: String, name: String? = nil) -> UInt64 {
        let range = token(upTo: " ")
        let number = UInt64(text(range), radix: 16)
        let value: DecodedField.Value = number.map { .number(Int64(clamping: $0), "\($0)") } ?? .none
        add(place, range, name, (value, nil), note)
        return number ?? 0
    }

    /// `$PEKIO,RR_L,…` and `$PEKIO,COORD,…`.
    mutating func readEliko() {
        guard take("$PEKIO,") else { return }
        let kind = token(upTo: ",")
        let isPosition = text(kind) == "COORD"
        addUnused("kind", kind, isPosition ? "a position" : "distances of a tag")
        func next(_ reader: inout LineReader) -> Range<Int> {
            reader.take(",")
            return reader.token(upTo: ",")
        }
        add("counter", next(&self), "seq", .counter)
        add("tag", next(&self), "reporter", .address, isPosition ? "whose position it is" : "who measured")
        guard !isPosition else {
            for axis in ["x", "y", "z"] {
                let range = next(&self)
                if range.isEmpty, offset < end { fields.append(noCoordinate(axis, at: range)) }
                add(axis, range, axis, .coordinate(metres: 1))
            }
            addUnused("remark", next(&self), "what the server says of it, not used")
            add("time", next(&self), "timestamp", .time(seconds: 1))
            return
        }
        var number = 1
        take(",")
        while sees("0x"), hasPair() {
            add("anchor \(number)", token(upTo: ","), "peer", .address)
            let meaning = FieldMeaning.distance(metres: 0.01, none: .notPositive)
            add("range \(number)", next(&self), "distance", meaning, "centimetres")
            take(",")
            number += 1
        }
        add("clock", token(upTo: ","), "timestamp", .time(seconds: 0.001), "milliseconds of the tag")
        while self.next == UInt8(ascii: ",") { addUnused("flags", next(&self)) }
    }

    private func noCoordinate(_ axis: String, at range: Range<Int>) -> ReportField {
        ReportField(range: range, place: axis, name: axis, warning: "no coordinate, so no position")
    }

    /// Whether two more columns follow, and another: the flags at the end of a line look like an anchor too.
    private func hasPair() -> Bool {
        bytes[offset..<end].prefix(64).count { $0 == UInt8(ascii: ",") } >= 2
    }
}
