// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How to secure a connection.
///
/// TLS 1.2 is the least that is spoken.
public struct TLSOptions: Sendable, Equatable {
    /// A PEM file with the authorities to trust; `nil` with no directory either means the system's store.
    public var authorityFile: String?
    /// A directory of authorities, prepared with `openssl rehash`.
    public var authorityDirectory: String?
    /// A PEM file with our own certificate and its chain; needs `keyFile`.
    public var certificateFile: String?
    /// A PEM file with the private key of our certificate.
    public var keyFile: String?
    /// What unlocks `keyFile`; never part of any message.
    public var keyPassphrase: String?
    /// The name the broker's certificate must bear, where it is not the host we connect to.
    ///
    /// Checked by us before a single byte of MQTT is sent. The name announced to the broker (SNI) stays the host:
    /// libmosquitto offers no way to change it.
    public var serverName: String?
    /// Accepts any certificate from anybody: for trying things out only.
    public var isInsecure: Bool

    /// Makes options; without arguments the system's authorities are trusted.
    public init(
        authorityFile: String? = nil,
        authorityDirectory: String? = nil,
        certificateFile: String? = nil,
        keyFile: String? = nil,
        keyPassphrase: String? = nil,
        serverName: String? = nil,
        isInsecure: Bool = false
    ) {
        self.authorityFile = authorityFile
        self.authorityDirectory = authorityDirectory
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.keyPassphrase = keyPassphrase
        self.serverName = serverName
        self.isInsecure = isInsecure
    }
}
