// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Foundation
import NearbyCore
import TestSupport
import Testing

/// Foundation as the second opinion: what the scanner accepts, Foundation reads the same way.
@Suite struct JSONFoundationTests {
    private func parse(_ bytes: [UInt8]) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
    }

    private func isAccepted(_ bytes: [UInt8]) -> Bool {
        var offset = 0
        do throws(ReportError) {
            try JSONScanner.skipValue(in: bytes.span, at: &offset)
            try JSONScanner.expectEnd(in: bytes.span, at: &offset)
            return true
        } catch { return false }
    }

    @Test func `Generated payloads give the values that Foundation reads`() throws {
        try SeededGenerator.run(seed: 7159) { generator in
            var reports = 0
            for _ in 0..<6_000 {
                var writer = RandomJSON(generator: generator)
                let text = writer.payload()
                generator = writer.generator
                let decoding = JSONDecoding(text)
                let elements = try #require(self.elements(of: parse(decoding.payload)), "\(text)")
                try #require(decoding.reports.count + decoding.errors.count == elements.count, "\(text)")
                reports += decoding.reports.count
                guard decoding.errors.isEmpty else { continue }
                for (report, element) in zip(decoding.reports, elements) {
                    try #require(agrees(report, with: element, in: decoding.payload), "\(report)\n\(text)")
                }
            }
            #expect(reports > 3_000)
            return true
        }
    }

    @Test func `Damaged payloads give what Foundation reads or nothing`() throws {
        try SeededGenerator.run(seed: 8259) { generator in
            var accepted = 0
            for _ in 0..<20_000 {
                var writer = RandomJSON(generator: generator)
                var bytes = [UInt8](writer.payload().utf8)
                generator = writer.generator
                let alphabet = Array("{}[]\",:\\u0123456789eE+-. \n\u{0}tfn/ä".utf8)
                for _ in 0..<Int.random(in: 1...2, using: &generator) where !bytes.isEmpty {
                    let index = Int.random(in: bytes.indices, using: &generator)
                    let byte = alphabet.randomElement(using: &generator) ?? 0
                    switch UInt8.random(in: 0..<3, using: &generator) {
                    case 0: bytes[index] = byte
                    case 1: bytes.insert(byte, at: index)
                    default: bytes.remove(at: index)
                    }
                }
                guard isAccepted(bytes) else {
                    try #require(JSONDecoding(bytes).reports.isEmpty)
                    continue
                }
                let parsed = parse(bytes)
                if parsed == nil, hasHugeNumber(bytes) { continue }
                accepted += 1
                try #require(parsed != nil, "\(String(decoding: bytes, as: UTF8.self))")
                let decoding = JSONDecoding(bytes)
                guard decoding.errors.isEmpty, let elements = elements(of: parsed) else { continue }
                try #require(elements.count == decoding.reports.count)
                for (report, element) in zip(decoding.reports, elements) {
                    try #require(agrees(report, with: element, in: bytes), "\(String(decoding: bytes, as: UTF8.self))")
                }
            }
            #expect(accepted > 1_000)
            return true
        }
    }

    /// Foundation refuses a number that overflows; the bridge takes it for no measurement.
    private func hasHugeNumber(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(whereSeparator: { !"+-.eE0123456789".contains($0) }).contains { number in
            Double(number).map { !$0.isFinite || ($0 == 0 && number.contains { "123456789".contains($0) }) } ?? false
        }
    }

    private func elements(of payload: Any?) -> [Any]? {
        if let array = payload as? [Any] { return array }
        guard let object = payload as? [String: Any] else { return nil }
        return object["reports"] as? [Any] ?? [object]
    }

    /// Decodes an element a second time, from Foundation's tree.
    private func agrees(_ report: RangeReport, with element: Any, in payload: [UInt8]) -> Bool {
        guard let object = element as? [String: Any] else { return false }
        func number(_ key: String) -> Double? { (object[key] as? NSNumber)?.doubleValue }
        func narrow(_ key: String) -> Float? { number(key).map { Float($0) }.flatMap { $0.isFinite ? $0 : nil } }
        let status = object["status"] as? String ?? "ok"
        var peer: String?
        if case .name(let range) = report.peer { peer = String(decoding: payload[range], as: UTF8.self) }
        let components = (object["direction"] as? [Any])?.compactMap { ($0 as? NSNumber).map { Float($0.doubleValue) } }
        let isDirection = components?.count == 3 && components?.allSatisfy(\.isFinite) == true
        let direction = isDirection ? components : nil
        return isClose(report.distance, status == "ok" ? number("distance") : nil)
            && report.status == (status == "ok" ? .ok : status == "timeout" ? .timeout : .error)
            && peer == object["peer"] as? String
            && isClose(report.azimuth, narrow("azimuth")) && isClose(report.elevation, narrow("elevation"))
            && isClose(report.horizontalAngle, narrow("horizontal_angle")) && isClose(report.quality, narrow("quality"))
            && isClose(report.rssi, narrow("rssi"))
            && report.isNonLineOfSight == (object["nlos"] as? NSNumber)?.boolValue
            && report.sequence == (object["seq"] as? NSNumber)?.int64Value
            && report.run == (object["run"] as? NSNumber)?.int64Value
            && (report.vertical == nil) == (object["vertical"] as? String == nil)
            && (report.direction == nil) == (direction == nil)
            && (0..<3).allSatisfy { isClose(report.direction?[$0], direction?[$0]) }
    }

    /// Foundation turns a long number into a `Decimal` first, which costs it the last bits.
    private func isClose<Value: BinaryFloatingPoint>(_ first: Value?, _ second: Value?) -> Bool {
        guard let first, let second else { return first == nil && second == nil }
        return (first - second).magnitude <= max(2 * second.ulp, second.magnitude * 1e-14)
    }
}
