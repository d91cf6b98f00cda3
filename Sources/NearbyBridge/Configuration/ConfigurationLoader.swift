// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Turns the sources of the configuration into one typed configuration, or into everything that is wrong with them.
///
/// Later sources win: defaults, file, environment, command line. Touches no file itself.
public enum ConfigurationLoader {
    /// Loads the configuration.
    ///
    /// - Parameters:
    ///   - file: The configuration file, if there is one.
    ///   - environment: The variables `NEARBY_BRIDGE_…`; the value is `nil` if it is not UTF-8.
    ///   - overrides: The `key=value` texts of `--set`, in their order.
    /// - Returns: The configuration, its warnings, and its rendering without secrets.
    /// - Throws: All problems at once.
    public static func load(
        file: ConfigurationFile? = nil,
        environment: [(name: String, value: String?)] = [],
        overrides: [String] = []
    ) throws(ConfigurationError) -> LoadedConfiguration {
        var reader = ConfigurationReader()
        if let file { reader.readFile(file) }
        reader.readEnvironment(environment)
        for override in overrides { reader.readOverride(override) }
        return try finish(reader)
    }

    /// Checks what was read as a whole and makes the typed configuration.
    static func finish(_ reader: ConfigurationReader) throws(ConfigurationError) -> LoadedConfiguration {
        var check = ConfigurationCheck(reader.settings)
        if reader.isComplete { check.run() }
        let problems = reader.problems + check.problems
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return LoadedConfiguration(
            configuration: ConfigurationAssembler(check.settings).configuration(),
            warnings: reader.warnings + check.warnings,
            redacted: check.settings.redacted,
            secrets: check.settings.secrets,
            fileName: reader.fileName
        )
    }
}

extension ConfigurationSettings {
    /// Every setting, sorted, fit for publishing.
    fileprivate var redacted: [LoadedConfiguration.Setting] {
        settings.map { path, setting in
            LoadedConfiguration.Setting(
                key: "\(path)",
                value: setting.key.isSecret ? Secret.placeholder : setting.value.text,
                source: setting.source,
                traits: setting.key.traits
            )
        }.sorted { $0.key < $1.key }
    }

    /// The secrets among the settings.
    fileprivate var secrets: [String: Secret] {
        let pairs = settings.filter(\.value.key.isSecret).map { ("\($0.key)", Secret($0.value.value.text)) }
        return Dictionary(pairs) { first, _ in first }
    }
}
