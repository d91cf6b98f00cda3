// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How the program ends: the codes of `sysexits.h` that mean something here.
public enum ExitCode: Int32, Sendable, CaseIterable {
    /// It did what it was asked to.
    case ok = 0
    /// The command line is wrong.
    case usage = 64
    /// A file holds something else than it should.
    case badData = 65
    /// The broker or another resource cannot be reached.
    case unavailable = 69
    /// A fault of this program.
    case internalError = 70
    /// The configuration is wrong.
    case configuration = 78

    /// The meaning, in a few words for the help text.
    public var summary: String {
        switch self {
        case .ok: "success"
        case .usage: "wrong command line"
        case .badData: "bad input data"
        case .unavailable: "broker or resource unavailable"
        case .internalError: "internal error"
        case .configuration: "wrong configuration"
        }
    }
}
