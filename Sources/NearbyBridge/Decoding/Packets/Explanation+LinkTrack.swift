// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

extension Explanation {
    /// Adds the fields of LinkTrack's frames, any number of them back to back.
    mutating func explainLinkTrack(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            switch LinkTrackFrame.find(in: bytes.span, at: start) {
            case .whole(_, let end):
                explainFrame(bytes, start..<end)
                start = end
            case .broken(let length):
                warn("the frame at byte \(start) is garbled: the sum of its bytes is not its checksum")
                explainFrame(bytes, start..<start + length)
                start += length
            case .partial:
                let count = bytes.count - start
                warn("the frame at byte \(start) is cut: only \(count) byte\(count == 1 ? " is" : "s are") there")
                add("unfinished", count, .none, "the beginning of a frame")
                return
            case .none:
                let end = nextFrame(bytes, behind: start)
                warn("no frame begins at byte \(start), \(end - start) bytes are passed over")
                add("unknown", end - start, .none)
                start = end
            }
        }
    }

    private func nextFrame(_ bytes: [UInt8], behind start: Int) -> Int {
        var end = start + 1
        while end < bytes.count {
            // The letter of a frame at the very end is not enough to believe in one.
            switch LinkTrackFrame.find(in: bytes.span, at: end) {
            case .none, .broken: end += 1
            case .partial where bytes.count - end < 2: end += 1
            case .partial, .whole: return end
            }
        }
        return end
    }

    private mutating func explainFrame(_ bytes: [UInt8], _ range: Range<Int>) {
        let frame = Array(bytes[range])
        guard frame.count > 4, let known = LinkTrackFrame(frame[0], frame[1]) else { return }
        let layout = LinkTrackLayout(frame[0], frame[1])
        add("header", 1, .hexadecimal(frame[0]))
        add("function_mark", 1, .hexadecimal(frame[1]), layout.name)
        var offset = 2
        if known.hasLength {
            add("frame_length", 2, .decimal(frame.count), "bytes")
            offset = 4
        }
        let end = frame.count - 1
        for field in layout.fixed { add(field, frame, &offset, end) }
        let count = layout.record.isEmpty ? 0 : Int(frame[known.fixed - 1])
        for number in 0..<count where offset < end {
            var first: UInt8?
            for (index, field) in layout.record.enumerated() {
                let label = index == 0 ? "node \(number + 1) of \(count)" : ""
                add(field, frame, &offset, end, label, firstPath: first)
                first = field.name == "fp_rssi" && offset <= end ? frame[offset - 1] : first
            }
        }
        add("payload", end - offset, .none)
        guard frame[0] != 0x55 || frame[1] != 0 else { return add("end", 1, .hexadecimal(frame[end]), "no checksum") }
        let sum = frame.dropLast().reduce(0 as UInt8) { $0 &+ $1 }
        let verdict = sum == frame[end] ? "right" : "wrong, expected 0x\(Hexadecimal.text(sum, digits: 2).uppercased())"
        add("checksum", 1, .hexadecimal(frame[end]), verdict)
    }

    /// Adds a field and moves behind it; nothing if the frame ends before.
    private mutating func add(
        _ field: LinkTrackLayout.Field,
        _ frame: [UInt8],
        _ offset: inout Int,
        _ end: Int,
        _ label: String = "",
        firstPath: UInt8? = nil
    ) {
        let size = field.coding.size
        guard offset + size <= end else {
            add("payload", end - offset, .none, "cut")
            return offset = end
        }
        let bytes = frame[offset..<offset + size]
        offset += size
        let value = bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let (content, meaning) = Self.value(field.coding, value, firstPath)
        let separator = label.isEmpty || meaning.isEmpty ? "" : ", "
        add(field.name, size, content, label + separator + meaning)
        guard field.coding == .data else { return }
        let count = min(Int(value & 0x0F), end - offset)
        add("data", count, .none)
        offset += count
    }

    private static func value(
        _ coding: LinkTrackLayout.Coding,
        _ value: UInt64,
        _ firstPath: UInt8?
    ) -> (DecodedField.Value, meaning: String) {
        let byte = UInt8(truncatingIfNeeded: value)
        switch coding {
        case .raw: return (.none, "")
        case .role: return (.decimal(byte), role(byte))
        case .unsigned: return (.decimal(value), "")
        case .milliseconds: return (.quantity(Double(value) / 1000, decimals: 3, unit: "s"), "")
        case .millivolts: return (.quantity(Double(value) / 1000, decimals: 3, unit: "V"), "")
        case .signed24(let scale, let unit):
            let number = Int32(truncatingIfNeeded: value << 8) >> 8
            return (.quantity(Double(number) / scale, decimals: 3, unit: unit), "")
        case .angle:
            return (.quantity(Double(Int16(truncatingIfNeeded: value)) / 100, decimals: 2, unit: "deg"), "")
        case .signal:
            guard byte != 0 else { return (.none, "not reported") }
            // Half decibels below zero.
            let isWeak = firstPath.map { $0 != 0 && Int($0) - Int(byte) > 20 } ?? false
            let hint = isWeak ? "the first path is over 10 dB weaker: perhaps no line of sight" : ""
            return (.quantity(-Double(byte) / 2, decimals: 1, unit: "dBm"), hint)
        case .data: return (.decimal(byte & 0x0F), "bytes")
        }
    }

    private static func role(_ role: UInt8) -> String {
        switch role {
        case 0: "node"
        case 1: "anchor"
        case 2: "tag"
        case 3: "console"
        case 4: "DT master"
        case 5: "DT slave"
        case 6: "monitor"
        default: "unknown"
        }
    }
}
