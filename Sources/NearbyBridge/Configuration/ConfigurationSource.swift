// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Where a setting comes from.
public enum ConfigurationSource: Equatable, Sendable, CustomStringConvertible {
    /// Built in.
    case standard
    /// A line of the configuration file, counted from 1; 0 is the file itself.
    case file(name: String, line: Int)
    /// A variable of the environment.
    case environment(variable: String)
    /// A `--set` on the command line.
    case commandLine
    /// A request to the running bridge.
    case request

    /// The source as a problem names it: `nearby-bridge.yaml:7`, `NEARBY_BRIDGE_MQTT_HOST`, `--set` or `default`.
    public var description: String {
        switch self {
        case .standard: "default"
        case .file(let name, let line): line == 0 ? name : "\(name):\(line)"
        case .environment(let variable): variable
        case .commandLine: "--set"
        case .request: "request"
        }
    }

    /// Later layers have the greater number and win.
    var layer: Int {
        switch self {
        case .standard: 0
        case .file: 1
        case .environment: 2
        case .commandLine: 3
        case .request: 4
        }
    }
}
