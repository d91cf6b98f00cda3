// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The sections `sources`, where presets become what they stand for, and `inputs`.
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
        source.options = meaning(of: path, source.options)
        return source
    }

    func inputs() -> [InputConfiguration] {
        let section = ConfigurationPath(["inputs"])
        return settings.names(in: section).compactMap { input(at: section.appending($0.text)) }
    }

    /// An entry of `inputs`; `nil` without a device or port, which is a problem already.
    func input(at path: ConfigurationPath) -> InputConfiguration? {
        let options = meaning(of: path, SourceOptions())
        var device: String?
        assign("serial", in: path, to: &device)
        if let device {
            var baud = String(InputConfiguration.defaultSpeed)
            assign("baud", in: path, to: &baud)
            var lines: [String] = []
            assign("init", in: path, to: &lines)
            let speed = Int(baud) ?? InputConfiguration.defaultSpeed
            return InputConfiguration(.serial(path: device, bitsPerSecond: speed, lines: lines), options: options)
        }
        var port: Int?
        assign("udp", in: path, to: &port)
        var host = InputConfiguration.defaultHost
        assign("host", in: path, to: &host)
        return port.map { InputConfiguration(.udp(host: host, port: $0), options: options) }
    }

    /// What an entry of either section says of its reports, beyond what is known.
    func meaning(of path: ConfigurationPath, _ known: SourceOptions) -> SourceOptions {
        var options = known
        assign("format", in: path, to: &options.format)
        assign("accessory", in: path, to: &options.accessory)
        assign("peer", in: path, to: &options.peer)
        assign("zones_around", in: path, to: &options.center)
        assign("horizontal", in: path, to: &options.isHorizontal)
        assign("lost_after", in: path, to: &options.lostAfter)
        var reports = AccessoryConfiguration.Reporting.stream
        assign("reports", in: path, to: &reports)
        options.isByException = reports == .byException
        if settings.hasFields(path) {
            options.format = .json
            options.fields = try? fieldPaths(of: path)
        }
        var unit: LengthUnit?
        assign("unit", in: path, to: &unit)
        if let unit, let own = options.format.metresPerUnit { options.scale = unit.metres / own }
        let names = path.appending("names")
        for name in settings.names(in: names) {
            options.names[name.text] = settings[names.appending(name.text)].flatMap { String($0.value) }
        }
        let anchors = path.appending("anchors")
        for anchor in settings.names(in: anchors) {
            let coordinates = settings[anchors.appending(anchor.text)].flatMap { [Double]($0.value) }
            options.anchors[anchor.text] = coordinates.flatMap(Self.position)
        }
        return options
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
