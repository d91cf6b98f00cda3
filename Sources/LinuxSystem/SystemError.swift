// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A failed call to the operating system.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried, as a verb phrase: `open /etc/x.yaml`.
    public let operation: String
    /// The `errno` of the call.
    public let code: Int32

    /// Makes an error from an operation and an `errno`.
    public init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// Makes an error from an operation and the calling thread's `errno`.
    public init(operation: String) {
        self.init(operation: operation, code: errno)
    }

    /// The C library's text for `code`, such as `No such file or directory`.
    public var text: String { Self.text(of: code) }

    /// The operation and the reason, as one line.
    public var description: String { "cannot \(operation): \(text)" }

    /// The C library's text for an `errno`; safe on any thread.
    public static func text(of code: Int32) -> String {
        // `strerror_r` is the GNU one here on some toolchains and the POSIX one on others; `strerror_l` has one form.
        guard let text = unsafe strerror_l(code, uselocale(nil)) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
