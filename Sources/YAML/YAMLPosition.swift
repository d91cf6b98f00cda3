// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A place in a YAML text.
public struct YAMLPosition: Equatable, Sendable {
    /// The line, counted from 1.
    public var line: Int
    /// The column in characters, counted from 1.
    public var column: Int

    /// Creates a position from a line and a column, both counted from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
