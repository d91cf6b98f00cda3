// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Writes payloads that are sound JSON and mostly sound reports.
struct RandomJSON {
    var generator: SeededGenerator

    /// One object, an array or an object with the key `reports`.
    mutating func payload() -> String {
        switch below(4) {
        case 0: array(of: { $0.report() })
        case 1:
            "{" + joined([member("peer", "\"" + word() + "\""), member("reports", array(of: { $0.report() }))]) + "}"
        default: report()
        }
    }

    private mutating func report() -> String {
        var members: [String] = []
        for key in [
            "distance", "peer", "azimuth", "elevation", "horizontal_angle", "quality", "rssi", "nlos", "seq", "run",
        ] {
            if below(3) > 0 { members.append(member(key, value(of: key))) }
        }
        for key in ["direction", "vertical", "status", "timestamp"] where below(3) == 0 {
            members.append(member(key, value(of: key)))
        }
        for _ in 0..<below(3) { members.append(member("x" + word(), anything(depth: 0))) }
        members.shuffle(using: &generator)
        if below(60) == 0, let first = members.first { members.append(first) }
        return "{" + joined(members) + "}"
    }

    private mutating func value(of key: String) -> String {
        if below(40) == 0 { return anything(depth: 2) }
        if below(8) == 0 { return "null" }
        switch key {
        case "peer": return "\"" + word() + "\""
        case "quality": return "0.\(below(1000))"
        case "nlos": return below(2) == 0 ? "true" : "false"
        case "seq", "run": return String(Int64(bitPattern: generator.next()) >> Int64(below(60)))
        case "direction": return "[" + joined([number(), number(), number()]) + "]"
        case "vertical": return ["\"same\"", "\"above\"", "\"below\"", "\"above_or_below\""][below(4)]
        case "status": return ["\"ok\"", "\"ok\"", "\"timeout\"", "\"error\"", "\"else\""][below(5)]
        case "timestamp": return "176451131\(below(10)).\(below(1000))"
        default: return number()
        }
    }

    private mutating func anything(depth: Int) -> String {
        switch below(depth < 4 ? 8 : 6) {
        case 0: "null"
        case 1: "true"
        case 2: "false"
        case 3: "\"" + text() + "\""
        case 4, 5: number()
        case 6: array(of: { $0.anything(depth: depth + 1) })
        default: "{" + joined((0..<below(4)).map { _ in member(text(), anything(depth: depth + 1)) }) + "}"
        }
    }

    private mutating func number() -> String {
        let sign = below(3) == 0 ? "-" : ""
        switch below(5) {
        case 0: return sign + "\(below(1000))"
        case 1: return sign + "\(below(100)).\(below(100_000))"
        case 2: return sign + "\(below(10)).\(below(1_000_000_000))\(below(1_000_000_000))"
        case 3: return sign + "\(below(1000))e\(["", "+", "-"][below(3)])\(below(30))"
        default: return sign + "0.\(below(1000))E-\(below(5))"
        }
    }

    private mutating func word() -> String {
        (0...below(12)).map { _ in
            ["a", "b", "Z", "7", ".", "_", ":", "-"][below(8)]
        }.joined()
    }

    private mutating func text() -> String {
        (0..<below(6)).map { _ in
            ["a", "}", "]", "ä", "€", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u00e4", "\\ud83d\\ude00", ",", ":", " "][
                below(15)
            ]
        }.joined()
    }

    /// A member, its key now and then with an escape.
    private mutating func member(_ key: String, _ value: String) -> String {
        var key = key
        if below(10) == 0, let first = key.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic {
            key.removeFirst()
            key = "\\u00" + String(first.value, radix: 16) + key
        }
        return space() + "\"" + key + "\"" + space() + ":" + space() + value + space()
    }

    private mutating func array(of element: (inout RandomJSON) -> String) -> String {
        var elements: [String] = []
        for _ in 0..<below(4) { elements.append(space() + element(&self) + space()) }
        return "[" + joined(elements) + "]"
    }

    private func joined(_ parts: [String]) -> String { parts.joined(separator: ",") }

    private mutating func space() -> String { below(6) == 0 ? [" ", "\n", "\t", "\r\n  "][below(4)] : "" }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
}
