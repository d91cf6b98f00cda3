// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Which file a path leads to: another one has another identity, even if it has the same name and content.
public struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// The identity of the file at a path; `nil` if there is none.
    public init?(of path: String) {
        var information = stat()
        guard unsafe stat(path, &information) == 0 else { return nil }
        device = UInt64(information.st_dev)
        number = UInt64(information.st_ino)
    }
}
