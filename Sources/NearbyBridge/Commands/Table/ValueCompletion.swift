// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What a shell offers where a value is typed.
enum ValueCompletion: Hashable {
    /// Nothing is known.
    case nothing
    /// Any file.
    case files
    /// Folders only.
    case folders
    /// One of these.
    case words([String])
    /// A key of the configuration, an equals sign, and where there are few values, those.
    case settings

    /// What the configuration may be told on the command line: `key=`, or `key=value` where there are few values.
    ///
    /// Keys with a name that the user chooses are there for the zones that exist by themselves.
    static let everySetting: [String] = ConfigurationKey.all.filter(\.isBuilt).flatMap { key -> [String] in
        guard !key.path.contains("[]") else { return [] }
        let prefix = "zones.*."
        let paths =
            key.path.hasPrefix(prefix)
            ? ConfigurationKey.defaultZones.map { "zones.\($0.name).\(key.path.dropFirst(prefix.count))" } : [key.path]
        return paths.filter { !$0.contains("*") }.flatMap { path in
            key.type.fewValues.isEmpty ? ["\(path)="] : key.type.fewValues.map { "\(path)=\($0)" }
        }
    }
}

extension ConfigurationType {
    /// All values, where there are only a few.
    var fewValues: [String] {
        switch self {
        case .choice(let words, _): words
        case .boolean: ["true", "false"]
        case .integer, .number, .duration, .byteSize, .text, .list: []
        }
    }
}

extension CommandOption {
    /// What a shell offers for its value.
    var completion: ValueCompletion {
        if name == "set" { return .settings }
        if !words.isEmpty { return .words(words) }
        guard let type else { return .nothing }
        if type == .text(.path) { return valueName == "DIR" ? .folders : .files }
        return type.fewValues.isEmpty ? .nothing : .words(type.fewValues)
    }
}

extension CommandDescription.Positional {
    /// What a shell offers for it.
    var completion: ValueCompletion {
        switch self {
        case .none: .nothing
        case .oneOrMore, .zeroOrMore: .files
        case .any, .one, .optional: words.isEmpty ? .nothing : .words(words)
        }
    }
}
