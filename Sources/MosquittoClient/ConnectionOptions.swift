// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Everything that is fixed for one connection to a broker.
public struct ConnectionOptions: Sendable, Equatable {
    /// Which MQTT to speak.
    public enum ProtocolVersion: Sendable, Equatable {
        /// MQTT 3.1.1, the only one NATS and RabbitMQ know.
        case v311
        /// MQTT 5.
        case v5
    }

    /// A session expiry that never comes.
    public static let neverExpires = Duration.seconds(Int64(UInt32.max))

    /// Name or address of the broker; with TLS its certificate must bear it.
    public var host: String
    /// TCP port, 1 to 65535.
    public var port: Int
    /// Who we are, not empty; a second client of this name pushes us out.
    public var clientIdentifier: String
    /// Which MQTT to speak.
    public var protocolVersion: ProtocolVersion
    /// After this long without traffic a ping is sent, after twice as long the connection is given up; 5 s to 18 h.
    public var keepAlive: Duration
    /// Whether to begin a new session and drop what the broker kept for the old one.
    public var cleanStart: Bool
    /// How long the broker keeps the session after the connection; MQTT 5 only, whole seconds.
    public var sessionExpiry: Duration
    /// User name, if the broker asks for one.
    public var username: String?
    /// Password, needs `username`; never part of any message.
    public var password: String?
    /// How to secure the connection; `nil` speaks plain TCP.
    public var tls: TLSOptions?
    /// What the broker publishes when we vanish.
    public var will: Will?
    /// How many messages of level 1 may be under way to us at once, 1 to 65535; `nil` is the library's 20.
    public var receiveMaximum: Int?
    /// Whether small packets leave at once; without it a stock broker makes answers wait for up to 40 ms.
    public var tcpNoDelay: Bool

    /// Makes options with the defaults of a service that keeps its session for ten minutes.
    public init(
        host: String,
        port: Int = 1883,
        clientIdentifier: String,
        protocolVersion: ProtocolVersion = .v5,
        keepAlive: Duration = .seconds(15),
        cleanStart: Bool = false,
        sessionExpiry: Duration = .seconds(600),
        username: String? = nil,
        password: String? = nil,
        tls: TLSOptions? = nil,
        will: Will? = nil,
        receiveMaximum: Int? = nil,
        tcpNoDelay: Bool = true
    ) {
        self.host = host
        self.port = port
        self.clientIdentifier = clientIdentifier
        self.protocolVersion = protocolVersion
        self.keepAlive = keepAlive
        self.cleanStart = cleanStart
        self.sessionExpiry = sessionExpiry
        self.username = username
        self.password = password
        self.tls = tls
        self.will = will
        self.receiveMaximum = receiveMaximum
        self.tcpNoDelay = tcpNoDelay
    }
}
