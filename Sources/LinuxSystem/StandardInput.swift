// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Descriptor 0.
public enum StandardInput {
    /// Whether a person types there.
    public static var isTerminal: Bool { Terminal.isTerminal(0) }

    /// Reads all bytes, at most `maximumBytes`; blocks until the writer is done.
    public static func read(maximumBytes: Int) throws(TextFile.Failure) -> [UInt8] {
        try TextFile.readAll(0, "standard input", maximumBytes)
    }
}
