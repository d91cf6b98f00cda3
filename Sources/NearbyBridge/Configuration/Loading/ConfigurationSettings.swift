// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// All settings of all layers so far, the later ones having replaced the earlier.
struct ConfigurationSettings {
    /// A checked value with its origin.
    struct Setting {
        var key: ConfigurationKey
        var value: ConfigurationValue
        var source: ConfigurationSource
        /// A secret whose text stands in a file of its own.
        var isFromSecretFile = false
    }

    /// A name that the user gave to a zone, an accessory, a peer or a group.
    struct Name {
        var text: String
        var source: ConfigurationSource
    }

    private(set) var settings: [ConfigurationPath: Setting] = [:]
    private var sections: [ConfigurationPath: [Name]] = [:]
    private var known: Set<ConfigurationPath> = []
    private var refused: Set<ConfigurationPath> = []

    /// The built-in layer.
    static let standard = {
        var settings = ConfigurationSettings()
        for key in ConfigurationKey.all where !key.levels.contains(where: { $0 == "*" || $0 == "[]" }) {
            guard let value = key.defaultValue else { continue }
            settings.set(ConfigurationPath(key.levels), Setting(key: key, value: value, source: .standard))
        }
        for zone in ConfigurationKey.defaultZones {
            settings.add(zone.name, to: ConfigurationPath(["zones"]), source: .standard)
        }
        return settings
    }()

    mutating func set(_ path: ConfigurationPath, _ setting: Setting) {
        settings[path] = setting
    }

    /// Notes that something was given but could not be read, so that nobody calls it missing on top.
    mutating func refuse(_ path: ConfigurationPath) {
        refused.insert(path)
    }

    /// Whether something was given, readable or not.
    func isGiven(_ path: ConfigurationPath) -> Bool {
        settings[path] != nil || refused.contains(path)
    }

    /// Whether something was given that could not be read.
    func isRefused(_ path: ConfigurationPath) -> Bool {
        refused.contains(path)
    }

    /// Notes a name in a section; the order of first mention stays.
    mutating func add(_ name: String, to section: ConfigurationPath, source: ConfigurationSource) {
        guard known.insert(section.appending(name)).inserted else { return }
        sections[section, default: []].append(Name(text: name, source: source))
    }

    /// Forgets everything below a section that a later layer replaces as a whole.
    mutating func clear(_ section: ConfigurationPath) {
        settings = settings.filter { !$0.key.isBelow(section) }
        sections = sections.filter { $0.key != section && !$0.key.isBelow(section) }
        known = known.filter { !$0.isBelow(section) }
    }

    /// The names in a section, in the order of their first mention.
    func names(in section: ConfigurationPath) -> [Name] {
        sections[section] ?? []
    }

    subscript(path: ConfigurationPath) -> Setting? { settings[path] }

    /// A setting by its key's path.
    subscript(key: String) -> Setting? { settings[ConfigurationPath().appending(key: key)] }
}

extension ConfigurationKey {
    /// The default as a checked value.
    var defaultValue: ConfigurationValue? {
        guard let defaultText else { return nil }
        return ConfigurationReader.decode(defaultText, of: self)
    }
}
