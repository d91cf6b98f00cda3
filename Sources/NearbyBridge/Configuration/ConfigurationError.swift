// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Everything that is wrong with a configuration that cannot be used.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problems, at least one, in the order of the sources.
    public var problems: [ConfigurationProblem]

    /// The problems, one a line.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }

    /// Creates an error from its problems.
    public init(problems: [ConfigurationProblem]) {
        self.problems = problems
    }
}
