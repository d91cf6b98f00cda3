// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Where a setting comes from.
public enum ConfigurationSource: Equatable, Sendable, CustomStringConvertible {
    /// Built in.
    case standard
    /// A line of the configuration file, counted from 1.
    case file(name: String, line: Int)
    /// A `--set` on the command line.
    case commandLine

    /// The source as a problem names it: `nearby-bridge.yaml:7`, `--set` or `default`.
    public var description: String {
        switch self {
        case .standard: "default"
        case .file(let name, let line): "\(name):\(line)"
        case .commandLine: "--set"
        }
    }

    /// Later layers have the greater number and win.
    var layer: Int {
        switch self {
        case .standard: 0
        case .file: 1
        // 2 is for the environment.
        case .commandLine: 3
        }
    }
}
