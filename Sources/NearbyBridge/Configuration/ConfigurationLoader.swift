// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Turns the sources of the configuration into one typed configuration, or into everything that is wrong with them.
///
/// Later sources win: defaults, file, command line. Touches no file itself.
public enum ConfigurationLoader {
    /// Loads the configuration.
    ///
    /// - Parameters:
    ///   - file: The configuration file, if there is one.
    ///   - overrides: The `key=value` texts of `--set`, in their order.
    /// - Returns: The configuration, its warnings, and its rendering without secrets.
    /// - Throws: All problems at once.
    public static func load(
        file: ConfigurationFile? = nil,
        overrides: [String] = []
    ) throws(ConfigurationError) -> LoadedConfiguration {
        var reader = ConfigurationReader()
        if let file { reader.readFile(file) }
        for override in overrides { reader.readOverride(override) }

        var check = ConfigurationCheck(reader.settings)
        if reader.isComplete { check.run() }
        let problems = reader.problems + check.problems
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return LoadedConfiguration(
            configuration: ConfigurationAssembler(check.settings).configuration(),
            warnings: reader.warnings + check.warnings,
            redacted: check.settings.redacted
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
                source: setting.source
            )
        }.sorted { $0.key < $1.key }
    }
}
