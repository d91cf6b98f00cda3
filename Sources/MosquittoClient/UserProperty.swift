// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A name and a value that MQTT 5 carries beside a payload (MQTT 5 section 3.3.2.3.7).
public struct UserProperty: Equatable, Sendable {
    /// Its name; need not be unique.
    public var name: String
    /// Its value.
    public var value: String

    /// Creates a property.
    ///
    /// Both are UTF-8 of at most 65,535 bytes without a null character; others make `publish` throw.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
