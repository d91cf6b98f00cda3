// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The configuration that a command line asks for: `--config`, the usual places, `--set`.
enum ConfigurationArguments {
    /// Where a configuration is looked for when none is named.
    static let usualPlaces = ["./nearby-bridge.yaml", "/etc/nearby-bridge/config.yaml"]
    /// No configuration is longer.
    private static let maximumBytes = 1 << 20

    /// Loads the configuration and prints its warnings to standard error.
    static func load(_ arguments: ParsedArguments) throws(CommandFailure) -> LoadedConfiguration {
        let file = try file(arguments.text("config"))
        do throws(ConfigurationError) {
            let loaded = try ConfigurationLoader.load(file: file, overrides: arguments.texts("set"))
            for warning in loaded.warnings { StandardStream.error.write("warning: \(warning)\n") }
            return loaded
        } catch {
            throw CommandFailure(.configuration, "the configuration cannot be used:\n\(error)")
        }
    }

    /// The bridge's options from a loaded configuration.
    static func options(_ loaded: LoadedConfiguration) throws(CommandFailure) -> BridgeOptions {
        do throws(ConfigurationProblem) {
            return try BridgeOptions(loaded)
        } catch {
            throw CommandFailure(.configuration, "the configuration cannot be used:\n\(error)")
        }
    }

    private static func file(_ named: String?) throws(CommandFailure) -> ConfigurationFile? {
        if let named { return try read(named, isNamed: true) }
        for place in usualPlaces {
            if let file = try read(place, isNamed: false) { return file }
        }
        return nil
    }

    private static func read(_ path: String, isNamed: Bool) throws(CommandFailure) -> ConfigurationFile? {
        do throws(TextFile.Failure) {
            return ConfigurationFile(name: path, bytes: try TextFile.read(path, maximumBytes: maximumBytes))
        } catch {
            if !isNamed, error.isMissing { return nil }
            throw CommandFailure(.configuration, "\(error)")
        }
    }
}
