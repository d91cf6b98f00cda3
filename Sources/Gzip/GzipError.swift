// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Why bytes could not be unpacked or packed.
public enum GzipError: Error, Equatable, Sendable, CustomStringConvertible {
    /// They would become more than so many bytes.
    case tooLarge(limit: Int)
    /// What stands from about this byte on is not what was packed.
    case damaged(offset: Int)
    /// zlib could not be used: no memory is left.
    case noMemory

    /// What went wrong, as the end of a sentence.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "it holds more than \(limit) bytes when it is unpacked"
        case .damaged(let offset): "the gzip data is damaged about byte \(offset)"
        case .noMemory: "no memory is left"
        }
    }
}
