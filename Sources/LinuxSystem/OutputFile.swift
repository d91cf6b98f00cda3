// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A new file that is written to the end; nothing is buffered.
public final class OutputFile: Sendable {
    /// Where it is.
    public let path: String
    private let descriptor: Int32

    /// Makes the file.
    ///
    /// - Parameters:
    ///   - path: Where.
    ///   - overwrites: Whether one that is there already may be emptied.
    ///   - isPrivate: Whether nobody but this user may read it.
    /// - Throws: If it cannot be made, for example because it is there.
    public init(_ path: String, overwrites: Bool = false, isPrivate: Bool = false) throws(SystemError) {
        self.path = path
        let mode: mode_t = isPrivate ? 0o600 : 0o644
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
        // One that was there before keeps its rights, so what must be private is made anew.
        if overwrites, isPrivate { _ = unsafe unlink(path) }
        descriptor = unsafe open(path, flags | (overwrites && !isPrivate ? O_TRUNC : O_EXCL), mode)
        guard descriptor >= 0 else { throw SystemError(operation: "create \(path)") }
    }

    deinit { _ = close(descriptor) }

    /// Writes all bytes; throws when the disk is full or the device failed.
    public func write(_ bytes: borrowing Span<UInt8>) throws(SystemError) {
        let isWritten = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe StandardStream.writeAll(buffer, to: descriptor)
        }
        guard isWritten else { throw SystemError(operation: "write \(path)") }
    }
}

extension SystemError {
    /// Whether there is such a file already.
    public var isExisting: Bool { code == EEXIST }
}
