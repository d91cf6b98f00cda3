// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// Reads small files whole.
public enum TextFile {
    /// Why a file could not be read.
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The operating system refused; the error names the path.
        case system(SystemError)
        /// The file is longer than the bound, in bytes.
        case tooLarge(path: String, limit: Int)

        /// Whether there is no such file.
        public var isMissing: Bool {
            if case .system(let error) = self { return error.code == ENOENT }
            return false
        }

        /// What went wrong with which file, as one line.
        public var description: String {
            switch self {
            case .system(let error): error.description
            case .tooLarge(let path, let limit): "cannot read \(path): it is larger than \(limit) bytes"
            }
        }
    }

    /// Reads all bytes of a file of at most `maximumBytes`; blocks on a pipe until its writer closes it.
    public static func read(_ path: String, maximumBytes: Int) throws(Failure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(SystemError(operation: "open \(path)")) }
        defer { _ = close(descriptor) }
        return try readAll(descriptor, path, maximumBytes)
    }

    /// Why a file cannot be opened for reading, `nil` if it can.
    public static func fault(_ path: String) -> SystemError? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return SystemError(operation: "open \(path)") }
        _ = close(descriptor)
        return nil
    }

    /// Whether every user of this machine may read a file.
    public static func isReadableByEveryone(_ path: String) -> Bool {
        var information = stat()
        return unsafe stat(path, &information) == 0 && information.st_mode & S_IROTH != 0
    }

    /// Reads a descriptor to its end; `name` stands for it in errors.
    static func readAll(_ descriptor: Int32, _ name: String, _ maximumBytes: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(SystemError(operation: "read \(name)"))
            }
            guard bytes.count + count <= maximumBytes else {
                throw .tooLarge(path: name, limit: maximumBytes)
            }
            bytes.append(contentsOf: chunk[..<count])
        }
    }
}
