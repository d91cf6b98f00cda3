// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// Descriptor 0.
public enum StandardInput {
    /// The descriptor, to wait for.
    public static var descriptor: Int32 { 0 }

    /// Whether a person types there.
    public static var isTerminal: Bool { Terminal.isTerminal(0) }

    /// Reads all bytes, at most `maximumBytes`; blocks until the writer is done.
    public static func read(maximumBytes: Int) throws(TextFile.Failure) -> [UInt8] {
        try TextFile.readAll(0, "standard input", maximumBytes)
    }

    /// Takes what was typed up to the end of a line; false if nothing more will come.
    ///
    /// Blocks until there is something: wait for the descriptor first.
    public static func takeLine(from descriptor: Int32 = 0) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 256)
        while true {
            let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 || (count < 0 && errno != EINTR) { return false }
            // A terminal gives a line at once; a longer one, or one without an end, comes in parts.
            if count > 0, chunk[..<count].contains(UInt8(ascii: "\n")) { return true }
        }
    }
}
