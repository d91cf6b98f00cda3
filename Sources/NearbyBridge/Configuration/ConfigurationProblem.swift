// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One thing that is wrong, or worth a warning, in the configuration.
///
/// Never holds the value of a secret key.
public struct ConfigurationProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The key as the user would write it, `nil` if the fault is in the file's grammar.
    public var key: String?
    /// Where it was set.
    public var source: ConfigurationSource
    /// What is wrong.
    public var message: String
    /// What to do about it.
    public var fix: String

    /// Everything in one line: `nearby-bridge.yaml:7: zones.near.radius: …; write 3.0`.
    public var description: String {
        "\(source): \(key.map { "\($0): " } ?? "")\(message); \(fix)"
    }

    /// Creates a problem.
    public init(key: String?, source: ConfigurationSource, message: String, fix: String) {
        self.key = key
        self.source = source
        self.message = message
        self.fix = fix
    }
}
