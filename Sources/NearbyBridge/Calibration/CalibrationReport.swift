// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A calibration for people and for programs.
struct CalibrationReport {
    /// Whose distances.
    var accessory: String
    /// The peer that was named, as `peers:` has it; `nil` for the accessory as such.
    var peer: String?
    /// What came out.
    var calibration: Calibration
    /// What is doubtful.
    var warnings: [CalibrationWarning]

    private static let decimalsOfOffset = 3
    private static let decimalsOfScale = 4

    // MARK: For people

    /// The figures, what is doubtful, and the lines for the configuration.
    var text: String {
        var text = " true m  measured m     ± m  spread m  left out  failed  drift m  eff. n  after m\n"
        for point in calibration.points { text += Self.row(point, calibration.residual(of: point)) }
        text += "\n"
        for warning in warnings { text += "warning: \(warning.text)\n" }
        if let kept = calibration.keptScale, kept != .onlyOneDistance { text += "\(kept.text)\n" }
        if !warnings.isEmpty || calibration.keptScale.map({ $0 != .onlyOneDistance }) ?? false { text += "\n" }
        let interval = Column.decimal(calibration.offsetInterval, 3)
        text += "corrected distance = measured × \(Self.decimal(calibration.scale, Self.decimalsOfScale)) "
        text += calibration.offset < 0 ? "− " : "+ "
        text += "\(Self.decimal(calibration.offset.magnitude, Self.decimalsOfOffset)) m, ± \(interval) m\n\n"
        return text + yaml
    }

    private static func row(_ point: CalibrationPoint, _ residual: Double) -> String {
        Column.right(Column.decimal(point.truth, 2), 7)
            + Column.right(Column.decimal(point.median, 3), 12)
            + Column.right(Column.decimal(point.interval, 3), 8)
            + Column.right(Column.decimal(point.spread, 3), 10)
            + Column.right("\(point.outliers)/\(point.count)", 10)
            + Column.right("\(point.failed)", 8)
            + Column.right(point.drift.map { Column.decimal($0, 3) } ?? "-", 9)
            + Column.right(Column.decimal(point.effectiveCount, 0), 8)
            + Column.right(Column.decimal(residual, 3), 9) + "\n"
    }

    /// The lines for the configuration.
    var yaml: String {
        var yaml = PastedYAML()
        yaml.section("accessories", 0)
        yaml.section(accessory, 1)
        var level = 2
        if let peer {
            yaml.section("peers", 2)
            yaml.section(peer, 3)
            level = 4
        }
        for (key, value) in settings { yaml.pair(key, value, level) }
        return yaml.text
    }

    /// What is to be set: keys of the accessory or peer, and their values.
    private var settings: [(key: String, value: String)] {
        let offset = (key: "distance_offset", value: Self.decimal(calibration.offset, Self.decimalsOfOffset))
        guard calibration.keptScale == nil else { return [offset] }
        return [offset, (key: "distance_scale", value: Self.decimal(calibration.scale, Self.decimalsOfScale))]
    }

    private static func decimal(_ value: Double, _ decimals: Int) -> String {
        let text = Column.decimal(value, decimals)
        return text.hasPrefix("-") && !text.contains(where: { ("1"..."9").contains($0) })
            ? String(text.dropFirst()) : text
    }

    // MARK: For programs

    /// One JSON object; `answer` is what the bridge said, if it was told.
    func json(answer: [UInt8]?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.pair("accessory", accessory)
        if let answer {
            json.key("bridge")
            json.raw(answer)
        }
        json.pair("distance_offset", calibration.offset, decimals: Self.decimalsOfOffset)
        json.pair("distance_scale", calibration.scale, decimals: Self.decimalsOfScale)
        json.pair("offset_interval", calibration.offsetInterval, decimals: 4)
        json.optional("peer", peer)
        json.key("points")
        json.beginArray()
        for point in calibration.points { Self.write(point, calibration.residual(of: point), into: &json) }
        json.endArray()
        json.optional("scale_interval", calibration.scaleInterval, decimals: 5)
        json.optional("scale_kept", calibration.keptScale?.text)
        json.pair("type", "calibration")
        json.key("warnings")
        json.beginArray()
        for warning in warnings { json.string(warning.text) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    private static func write(_ point: CalibrationPoint, _ residual: Double, into json: inout JSONWriter) {
        json.beginObject()
        json.pair("autocorrelation", point.autocorrelation)
        json.optional("drift", point.drift, decimals: 4)
        json.pair("duration", point.duration)
        json.pair("effective_measurements", point.effectiveCount, decimals: 1)
        json.pair("failed", Int64(point.failed))
        json.pair("gross_errors", Int64(point.gross))
        json.pair("interval", point.interval, decimals: 4)
        json.pair("measurements", Int64(point.count))
        json.pair("median", point.median, decimals: 4)
        json.pair("outliers", Int64(point.outliers))
        json.pair("residual", residual, decimals: 4)
        json.pair("spread", point.spread, decimals: 4)
        json.pair("true_distance", point.truth)
        json.endObject()
    }

    /// The fields of the request that sets it.
    func writeOptions(into json: inout JSONWriter) {
        json.pair("accessory", accessory)
        json.key("options")
        json.beginObject()
        for (key, value) in settings {
            json.key(key)
            json.raw(Array(value.utf8))
        }
        json.endObject()
        json.optional("peer", peer)
    }
}
