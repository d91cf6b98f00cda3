// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The section `sources`: presets become what they stand for.
extension ConfigurationAssembler {
    func sources() -> [SourceConfiguration] {
        let section = ConfigurationPath(["sources"])
        return settings.names(in: section).map { source(at: section.appending($0.text)) }
    }

    private func source(at path: ConfigurationPath) -> SourceConfiguration {
        var preset: SourcePreset?
        assign("preset", in: path, to: &preset)
        var prefix = preset?.prefix ?? ""
        assign("prefix", in: path, to: &prefix)
        var source = SourceConfiguration(
            topics: preset?.topics(below: prefix) ?? [],
            options: preset?.options ?? SourceOptions()
        )
        var topic: String?
        assign("topic", in: path, to: &topic)
        if let topic { source.topics = [topic] }
        assign("format", in: path, to: &source.options.format)
        assign("accessory", in: path, to: &source.options.accessory)
        assign("peer", in: path, to: &source.options.peer)
        assign("zones_around", in: path, to: &source.options.center)
        assign("horizontal", in: path, to: &source.options.isHorizontal)
        assign("lost_after", in: path, to: &source.options.lostAfter)
        var reports = AccessoryConfiguration.Reporting.stream
        assign("reports", in: path, to: &reports)
        source.options.isByException = reports == .byException
        if settings.hasFields(path) {
            source.options.format = .json
            source.options.fields = try? fieldPaths(of: path)
        }
        var unit: LengthUnit?
        assign("unit", in: path, to: &unit)
        if let unit, let own = source.options.format.metresPerUnit { source.options.scale = unit.metres / own }
        let names = path.appending("names")
        for name in settings.names(in: names) {
            source.options.names[name.text] = settings[names.appending(name.text)].flatMap { String($0.value) }
        }
        let anchors = path.appending("anchors")
        for anchor in settings.names(in: anchors) {
            let coordinates = settings[anchors.appending(anchor.text)].flatMap { [Double]($0.value) }
            source.options.anchors[anchor.text] = coordinates.flatMap(Self.position)
        }
        return source
    }

    /// The paths of the fields of nobody's JSON.
    func fieldPaths(of source: ConfigurationPath) throws(FieldPaths.Fault) -> FieldPaths {
        var each: String?
        assign("each", in: source, to: &each)
        var okWords: [String] = []
        assign("ok", in: source, to: &okWords)
        var fields: [FieldPaths.Field: String] = [:]
        for field in FieldPaths.Field.allCases {
            assign("fields.\(field.word)", in: source, to: &fields[field])
        }
        return try FieldPaths(each: each, fields: fields, okWords: okWords)
    }

    /// A position of two coordinates has no height: distances to it are horizontal.
    private static func position(_ coordinates: [Double]) -> SIMD3<Double>? {
        switch coordinates.count {
        case 2: SIMD3(coordinates[0], coordinates[1], .nan)
        case 3: SIMD3(coordinates[0], coordinates[1], coordinates[2])
        default: nil
        }
    }
}
