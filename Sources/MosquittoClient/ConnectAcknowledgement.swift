// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the broker said when it accepted us.
///
/// Everything optional is MQTT 5 only, and `nil` if not said.
public struct ConnectAcknowledgement: Equatable, Sendable {
    /// Whether the broker still had our session, with its subscriptions and its backlog.
    public var isSessionPresent: Bool
    /// How many messages of level 1 the broker takes at once.
    public var receiveMaximum: Int?
    /// The largest packet the broker takes, in bytes.
    public var maximumPacketSize: Int?
    /// The keep-alive the broker wants instead of ours, in seconds; the library follows it.
    public var serverKeepAlive: Int?
    /// How long the broker keeps the session, in seconds, where it is not what we asked for.
    public var sessionExpiry: Int?
    /// Whether the broker keeps retained messages.
    public var isRetainAvailable: Bool

    /// Makes an acknowledgement.
    public init(
        isSessionPresent: Bool,
        receiveMaximum: Int? = nil,
        maximumPacketSize: Int? = nil,
        serverKeepAlive: Int? = nil,
        sessionExpiry: Int? = nil,
        isRetainAvailable: Bool = true
    ) {
        self.isSessionPresent = isSessionPresent
        self.receiveMaximum = receiveMaximum
        self.maximumPacketSize = maximumPacketSize
        self.serverKeepAlive = serverKeepAlive
        self.sessionExpiry = sessionExpiry
        self.isRetainAvailable = isRetainAvailable
    }
}
