// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Why a command line cannot be carried out.
///
/// Repeats no value of `--set`: it may be a secret.
public struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public var message: String
    /// What to do about it.
    public var fix: String

    /// How the program ends.
    public var exitCode: ExitCode { .usage }

    /// Everything in one line.
    public var description: String { "\(message); \(fix)" }

    /// Creates an error.
    public init(_ message: String, fix: String) {
        self.message = message
        self.fix = fix
    }
}
