// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How to reach the broker and how to speak to it: the section `mqtt`.
public struct BrokerOptions: Equatable, Sendable {
    /// The version of MQTT.
    public enum ProtocolVersion: String, Sendable {
        /// MQTT 5.
        case five = "5"
        /// MQTT 3.1.1.
        case threeOneOne = "3.1.1"
    }

    /// Encryption: the section `mqtt.tls`.
    public struct TLS: Equatable, Sendable {
        /// Whether the connection is encrypted.
        public var isEnabled = false
        /// File of the authority that signed the broker's certificate, `nil` for the system's.
        public var authorityFile: String?
        /// File of our certificate.
        public var certificateFile: String?
        /// File of our certificate's key.
        public var keyFile: String?
        /// Passphrase of the key.
        public var keyPassphrase: Secret?
        /// File whose first line is the passphrase of the key.
        public var keyPassphraseFile: String?
        /// Name in the broker's certificate, `nil` if it is the host.
        public var serverName: String?
        /// Whether any name in the certificate is accepted.
        public var isInsecure = false

        /// Creates the defaults.
        public init() {}
    }

    /// Host name or address.
    public var host = "localhost"
    /// Port.
    public var port = 1883
    /// First levels of every topic.
    public var baseTopic = "nearby"
    /// The version of MQTT.
    public var protocolVersion = ProtocolVersion.five
    /// Client identifier; without a setting it follows from the base topic.
    public var clientIdentifier = "nearby-bridge"
    /// User name.
    public var username: String?
    /// Password.
    public var password: Secret?
    /// File whose first line is the password.
    public var passwordFile: String?
    /// MQTT keep-alive.
    public var keepAlive = Duration.seconds(15)
    /// How long the broker keeps our session, `nil` for ever.
    public var sessionExpiry: Duration? = .seconds(600)
    /// Quality of service at which reports are subscribed: 0 or 1.
    public var reportQualityOfService = 0
    /// Whether states are retained.
    public var retainsStates = true
    /// Encryption.
    public var tls = TLS()

    /// Creates the defaults.
    public init() {}
}
