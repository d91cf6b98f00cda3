// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// An explanation for programs: one JSON object with sorted keys.
enum ExplanationJSON {
    /// The object and a line feed.
    static func text(_ explanation: Explanation) -> String {
        var json = JSONWriter()
        json.beginObject()
        for remark in sorted(explanation, before: "fields") { json.pair(remark.key, remark.text) }
        json.key("fields")
        json.beginArray()
        for field in explanation.fields { write(field, into: &json) }
        json.endArray()
        json.pair("kind", explanation.kind.rawValue)
        json.pair("length", Int64(explanation.length))
        for remark in sorted(explanation, after: "length", before: "spelling") { json.pair(remark.key, remark.text) }
        json.pair("spelling", "\(explanation.spelling)")
        for remark in sorted(explanation, after: "spelling", before: "v") { json.pair(remark.key, remark.text) }
        json.pair("v", 1 as Int64)
        json.key("warnings")
        json.beginArray()
        for warning in explanation.warnings { json.string(warning) }
        json.endArray()
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    private static func sorted(
        _ explanation: Explanation,
        after lower: String = "",
        before upper: String
    ) -> [(key: String, text: String)] {
        explanation.remarks.filter { lower < $0.key && $0.key < upper }.sorted { $0.key < $1.key }
    }

    private static func write(_ field: DecodedField, into json: inout JSONWriter) {
        json.beginObject()
        if !field.isSecret { json.pair("bytes", Hexadecimal.text(field.bytes.span)) }
        json.pair("length", Int64(field.bytes.count))
        if !field.meaning.isEmpty { json.pair("meaning", field.meaning) }
        json.pair("name", field.name)
        json.pair("offset", Int64(field.offset))
        if field.isSecret {
            json.pair("secret", true)
        } else {
            json.pair(field.value)
        }
        json.endObject()
    }
}

extension JSONWriter {
    /// Writes what a field holds, behind its unit if it has one.
    mutating func pair(_ value: DecodedField.Value) {
        switch value {
        case .number(let number, _): pair("value", number)
        case .quantity(let number, let decimals, let unit):
            if !unit.isEmpty { pair("unit", unit) }
            pair("value", number, decimals: decimals)
        case .text(let text): pair("value", text)
        case .none: break
        }
    }
}
