// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A value that goes into a statement.
public enum SQLiteValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}
