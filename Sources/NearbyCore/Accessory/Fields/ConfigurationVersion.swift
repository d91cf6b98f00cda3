// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The version that stands at the head of a configuration block.
public struct ConfigurationVersion: Hashable, Sendable, CustomStringConvertible {
    /// Grows when the layout is another one.
    public var major: UInt16
    /// Grows when something is appended.
    public var minor: UInt16

    /// Creates a version.
    public init(_ major: UInt16, _ minor: UInt16) {
        self.major = major
        self.minor = minor
    }

    /// The version as `1.1`.
    public var description: String { "\(major).\(minor)" }

    /// The layout to read a block of this version by, `nil` if the major version is unknown.
    ///
    /// A higher minor version of a known major one begins like the highest known
    /// (`reference/nearby-interaction.md` section 2.3).
    public var layout: ConfigurationLayout? {
        switch (major, minor) {
        case (1, 0): .v10
        case (1, _): .v11
        case (2, _): .v20
        default: nil
        }
    }
}
