// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What payloads promise about their JSON, checked over the bytes themselves.
public enum JSONText {
    private struct Level {
        var isObject: Bool
        var lastKey: [UInt8]?
    }

    /// The object that the bytes are, `nil` if they are no valid JSON object.
    public static func object(_ bytes: [UInt8]) -> [String: Any]? {
        try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    }

    /// What is wrong with an object whose keys should be sorted at every level; `nil` if nothing is.
    public static func fault(_ bytes: [UInt8]) -> String? {
        guard object(bytes) != nil else { return "not a JSON object: \(String(decoding: bytes, as: UTF8.self))" }
        var levels: [Level] = []
        var position = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "{"): levels.append(Level(isObject: true))
            case UInt8(ascii: "["): levels.append(Level(isObject: false))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): levels.removeLast()
            case UInt8(ascii: "\""):
                let text = string(in: bytes, at: &position)
                guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { continue }
                if let last = levels.last?.lastKey, !last.lexicographicallyPrecedes(text) {
                    let names = [text, last].map { String(decoding: $0, as: UTF8.self) }
                    return "\(names[0]) stands behind \(names[1]): \(String(decoding: bytes, as: UTF8.self))"
                }
                levels[levels.count - 1].lastKey = text
            case UInt8(ascii: " "), UInt8(ascii: "\n"): return "white space: \(String(decoding: bytes, as: UTF8.self))"
            default: break
            }
            position += 1
        }
        return nil
    }

    /// The raw text between two quotes; moves behind the second one.
    private static func string(in bytes: [UInt8], at position: inout Int) -> [UInt8] {
        let start = position + 1
        position = start
        while bytes[position] != UInt8(ascii: "\"") { position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1 }
        defer { position += 1 }
        return Array(bytes[start..<position])
    }
}
