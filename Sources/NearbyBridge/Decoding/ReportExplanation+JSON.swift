// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

extension ReportExplanation {
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
        if let direction = report.direction { json.triple("direction", SIMD3<Double>(direction)) }
        number("distance", report.distance)
        number("elevation", report.elevation.map { Double($0) })
        if report.isGone { json.pair("gone", true) }
        json.optional("horizontal_angle", report.horizontalAngle.map { Double($0) })
        if let isNonLineOfSight = report.isNonLineOfSight { json.pair("nlos", isNonLineOfSight) }
        json.pair("offset", Int64(offset))
        json.key("peer")
        if let name = name(of: report.peer) { json.string(name) } else { json.null() }
        if let position = report.position { json.triple("position", position) }
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
        json.endObject()
    }
}

extension JSONWriter {
    /// Writes three numbers.
    fileprivate mutating func triple(_ key: String, _ value: SIMD3<Double>) {
        self.key(key)
        beginArray()
        for index in value.indices { number(value[index]) }
        endArray()
    }
}
