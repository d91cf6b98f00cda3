// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What is wrong with what an entry of `sources` or `inputs` says of its reports.
extension ConfigurationCheck {
    mutating func checkMeaning(
        of path: ConfigurationPath,
        _ options: SourceOptions,
        _ entry: ConfigurationSource
    ) {
        if let around = settings[path.appending("zones_around")], options.accessory != nil {
            warn(
                "\(path.appending("zones_around"))",
                around.source,
                "accessory says already where zones lie",
                "remove one of the two"
            )
        }
        checkAnchors(of: path, options, entry)
        checkUnit(of: path, options)
        checkFields(of: path, entry)
    }

    private mutating func checkAnchors(
        of path: ConfigurationPath,
        _ options: SourceOptions,
        _ entry: ConfigurationSource
    ) {
        let anchors = settings.names(in: path.appending("anchors"))
        guard anchors.isEmpty, options.format == RangeFormat(rawValue: "pozyx") else { return }
        warn("\(path)", entry, "positions without anchors are no distances", "say under anchors where they stand")
    }

    private mutating func checkUnit(of path: ConfigurationPath, _ options: SourceOptions) {
        let place = path.appending("unit")
        guard let unit = settings[place], options.format.metresPerUnit == nil else { return }
        let isOpen = options.format == .auto
        problem(
            "\(place)",
            unit.source,
            isOpen ? "needs a format" : "\(options.format.rawValue) has distances in several units",
            isOpen ? "set format too" : "set distance_scale of the accessories"
        )
    }

    private mutating func checkFields(of path: ConfigurationPath, _ entry: ConfigurationSource) {
        guard settings.hasFields(path) else {
            for key in ["each", "ok"] {
                guard let setting = settings[path.appending(key)] else { continue }
                problem(
                    "\(path.appending(key))",
                    setting.source,
                    "there are no fields",
                    "say under fields what is where"
                )
            }
            return
        }
        let fields = "\(path.appending("fields"))"
        if let format = settings[path.appending("format")], format.value != .text("json") {
            return problem(fields, format.source, "the format knows its fields", "set format to json, or remove fields")
        }
        let isReadable = (FieldPaths.Field.allCases.map { "fields.\($0.word)" } + ["each", "ok"])
            .allSatisfy { !settings.isRefused(path.appending(key: $0)) }
        guard isReadable else { return }
        do throws(FieldPaths.Fault) {
            _ = try ConfigurationAssembler(settings).fieldPaths(of: path)
        } catch {
            let key: String
            switch error.reason {
            case .nothingMeasured: key = "fields"
            case .wordsWithoutStatus: key = "ok"
            default: key = error.field.map { "fields.\($0.word)" } ?? "each"
            }
            let text = error.reason.text
            let place = settings[path.appending(key: key)]?.source ?? entry
            problem("\(path.appending(key: key))", place, text.message, text.fix)
        }
    }
}
