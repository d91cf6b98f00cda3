// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Where a configuration is read from, so that it can be read again.
struct ConfigurationSources: Sendable {
    /// Where a configuration is looked for when none is named.
    static let usualPlaces = ["./nearby-bridge.yaml", "/etc/nearby-bridge/config.yaml"]
    /// No configuration is longer.
    private static let maximumBytes = 1 << 20

    /// The file that was asked for, or that was found before.
    private(set) var file: String?
    /// The variables `NEARBY_BRIDGE_…`.
    var environment: [(name: String, value: String?)]
    /// The `key=value` texts of `--set`, in their order.
    var overrides: [String]
    /// How secrets are read.
    var files = SecretFiles.system

    /// Names the sources.
    init(file: String?, environment: [(name: String, value: String?)] = [], overrides: [String] = []) {
        self.file = file
        self.environment = environment
        self.overrides = overrides
    }

    /// Reads everything.
    ///
    /// A file that was found once is in use from then on: if it vanishes, that is a problem and not another
    /// configuration.
    mutating func read() -> ConfigurationReader {
        var reader = ConfigurationReader()
        if let file {
            read(file, into: &reader, mayBeMissing: false)
        } else {
            for place in Self.usualPlaces where file == nil && read(place, into: &reader, mayBeMissing: true) {
                file = place
            }
        }
        reader.readEnvironment(environment)
        for override in overrides { reader.readOverride(override) }
        reader.readSecrets(in: files)
        return reader
    }

    @discardableResult
    private func read(_ path: String, into reader: inout ConfigurationReader, mayBeMissing: Bool) -> Bool {
        do throws(TextFile.Failure) {
            let bytes = try TextFile.read(path, maximumBytes: Self.maximumBytes)
            reader.readFile(ConfigurationFile(name: path, bytes: bytes))
        } catch {
            if mayBeMissing, error.isMissing { return false }
            reader.refuseFile(path, "\(error)")
        }
        return true
    }
}
