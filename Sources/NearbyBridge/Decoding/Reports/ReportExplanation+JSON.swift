// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

extension ReportExplanation {
    /// For programs: one object.
    var json: String {
        var json = JSONWriter()
        json.beginObject()
        json.key("faults")
        json.beginArray()
        for error in errors {
            json.beginObject()
            json.pair("offset", Int64(error.offset))
            json.pair("text", error.reason.text)
            json.endObject()
        }
        json.endArray()
        json.key("fields")
        json.beginArray()
        for field in fields { write(field, into: &json) }
        json.endArray()
        json.pair("format", row.format.rawValue)
        json.pair("kind", Self.word)
        json.pair("length", Int64(payload.count))
        json.key("reports")
        json.beginArray()
        for (report, offset) in reports { write(report, offset: offset, into: &json) }
        json.endArray()
        if let unfinishedTail { json.pair("unfinished", Int64(unfinishedTail)) }
        json.key("warnings")
        json.beginArray()
        for warning in warnings { json.string(warning) }
        json.endArray()
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    /// Writes a field; one without a name is not used.
    private func write(_ field: ReportField, into json: inout JSONWriter) {
        json.beginObject()
        json.pair("length", Int64(field.range.count))
        if !field.meaning.isEmpty { json.pair("meaning", field.meaning) }
        json.optional("name", field.name)
        json.pair("offset", Int64(field.range.lowerBound))
        json.pair("place", field.place)
        json.pair("text", text(of: field))
        json.pair(field.value)
        json.optional("warning", field.warning)
        json.endObject()
    }

    /// Writes a report with the names and units of the bridge's own JSON: numbers are numbers, `null` is none.
    ///
    /// What few sources tell is left out where it is not told.
    func write(_ report: RangeReport, offset: Int, into json: inout JSONWriter) {
        func number(_ key: String, _ value: Double?, decimals: Int = 3) {
            json.key(key)
            if let value { json.number(value, decimals: decimals) } else { json.null() }
        }
        json.beginObject()
        if report.isAnchorPosition { json.pair("anchor_position", true) }
        number("azimuth", report.azimuth.map { Double($0) })
        if let status = report.convergence {
            let convergence = convergence(of: report, status)
            json.key("convergence")
            json.beginObject()
            json.pair("reasons", convergence.words)
            json.pair("status", status.word)
            json.endObject()
        }
        if let direction = report.direction { json.pair("direction", SIMD3<Double>(direction)) }
        number("distance", report.distance)
        number("elevation", report.elevation.map { Double($0) })
        if report.isGone { json.pair("gone", true) }
        json.optional("horizontal_angle", report.horizontalAngle.map { Double($0) })
        if isNoMeasurement(report) { json.pair("measured", false) }
        if let isNonLineOfSight = report.isNonLineOfSight { json.pair("nlos", isNonLineOfSight) }
        json.pair("offset", Int64(offset))
        json.key("peer")
        if let name = name(of: report.peer) { json.string(name) } else { json.null() }
        if let position = report.position { json.pair("position", position) }
        number("quality", report.quality.map { Double($0) })
        if report.isReportedByAnchor { json.pair("reported_by_anchor", true) }
        json.optional("reporter", name(of: report.reporter))
        number("rssi", report.rssi.map { Double($0) })
        if let run = report.run { json.pair("run", run) }
        json.key("seq")
        if let sequence = report.sequence { json.integer(sequence) } else { json.null() }
        json.pair("status", report.signal.map { Self.word(of: $0) } ?? Self.word(of: report.status))
        number("timestamp", report.timestamp.map { Double($0) * 1e-9 }, decimals: 6)
        json.optional("vertical", report.vertical?.word)
        if let place = report.worldPosition { json.pair("world_position", SIMD3<Double>(place)) }
        json.endObject()
    }
}
