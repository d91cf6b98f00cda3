// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import LinuxSystem

/// A directory of its own for one test, removed with the object.
public final class TemporaryDirectory: Sendable {
    /// Where it is.
    public let path: String

    /// Makes an empty directory.
    public init() throws(SystemError) {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/nearby-test-XXXXXX".utf8CString)
        guard let made = unsafe mkdtemp(&template) else { throw SystemError(operation: "make a temporary directory") }
        path = unsafe String(cString: made)
    }

    deinit { _ = try? ChildProcess(["rm", "-rf", path]).wait() }

    /// The path of a file in it, existing or not.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file in it and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws(SystemError) -> String {
        try write(Array(text.utf8), to: name)
    }

    /// Writes a file in it and returns its path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws(SystemError) -> String {
        let path = file(name)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError(operation: "create \(path)") }
        defer { _ = close(descriptor) }
        guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw SystemError(operation: "write \(path)")
        }
        return path
    }

    /// The text of a file in it, empty if there is none.
    public func text(of name: String) -> String { String(decoding: bytes(of: name), as: UTF8.self) }

    /// The bytes of a file in it, none if there is none.
    public func bytes(of name: String) -> [UInt8] {
        (try? TextFile.read(file(name), maximumBytes: 64 << 20)) ?? []
    }
}
