// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What comes with a message besides topic and payload.
///
/// Whether it is a repeated delivery is not known: libmosquitto keeps that to itself.
public struct MessageAttributes: Equatable, Sendable {
    /// The level it was delivered with, 0 to 2.
    public var qualityOfService: Int32
    /// Whether the broker had kept it from before we subscribed.
    public var isRetained: Bool
    /// Whether MQTT 5 properties came with it: ask the client for them during the call.
    public var hasProperties: Bool

    /// Makes attributes.
    public init(qualityOfService: Int32, isRetained: Bool, hasProperties: Bool = false) {
        self.qualityOfService = qualityOfService
        self.isRetained = isRetained
        self.hasProperties = hasProperties
    }
}
