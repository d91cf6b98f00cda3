// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The configuration that a command line asks for: `--config`, the usual places, the environment, `--set`.
enum ConfigurationArguments {
    /// The sources that the arguments and the environment name.
    static func sources(_ arguments: ParsedArguments) -> ConfigurationSources {
        ConfigurationSources(
            file: arguments.text("config"),
            environment: Environment.variables(beginningWith: EnvironmentName.prefix),
            overrides: arguments.texts("set")
        )
    }

    /// Loads the configuration and prints its warnings to standard error.
    static func load(_ arguments: ParsedArguments) throws(CommandFailure) -> LoadedConfiguration {
        try live(arguments).loaded
    }

    /// Loads a configuration that can change while the bridge runs, and prints its warnings to standard error.
    static func live(_ arguments: ParsedArguments) throws(CommandFailure) -> LiveConfiguration {
        do throws(ConfigurationError) {
            let live = try LiveConfiguration(sources(arguments))
            for warning in live.loaded.warnings { StandardStream.error.write("warning: \(warning)\n") }
            return live
        } catch {
            throw CommandFailure(.configuration, "the configuration cannot be used:\n\(error)")
        }
    }
}
