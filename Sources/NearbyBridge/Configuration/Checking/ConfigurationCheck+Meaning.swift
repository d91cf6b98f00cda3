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
        checkNames(of: path, options)
        checkAnchors(of: path, options, entry)
        checkUnit(of: path, options)
        checkFields(of: path, entry)
    }

    /// Devices print addresses and numbers as they like; here they have one spelling, which is easily missed.
    private mutating func checkNames(of path: ConfigurationPath, _ options: SourceOptions) {
        let section = path.appending("names")
        var addresses: [RadioAddress: String] = [:]
        for name in settings.names(in: section) {
            guard let address = RadioAddress(named: Array(name.text.utf8).span) else { continue }
            guard let other = addresses.updateValue(name.text, forKey: address) else { continue }
            problem(
                "\(section.appending(name.text))",
                name.source,
                "the same address as \(other)",
                "keep one of the two"
            )
        }
        switch options.format {
        case .uci, .qorvo, .pans, .makerfabs, .dw1000, .trek, .linktrack, .eliko: break
        case .auto, .json, .espresense, .omlox, .drtls, .pozyx: return
        }
        for name in settings.names(in: section) {
            guard name.text.utf8.count <= 4, let digits = UInt64(name.text, radix: 16) else { continue }
            let hexadecimal = RadioAddress(digits).description
            let decimal = UInt64(name.text).map { RadioAddress($0).description } ?? hexadecimal
            warn(
                "\(section.appending(name.text))",
                name.source,
                "will hardly be found: reports are asked for addresses in full",
                hexadecimal == decimal
                    ? "write \(hexadecimal)" : "write \(hexadecimal), or \(decimal) if it is a decimal number"
            )
        }
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
