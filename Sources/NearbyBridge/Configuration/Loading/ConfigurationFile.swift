// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A configuration file as it was read, with the name that problems call it by.
public struct ConfigurationFile: Equatable, Sendable {
    /// The name as the user gave it.
    public var name: String
    /// The content.
    public var bytes: [UInt8]

    /// Creates a file from its name and content.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
