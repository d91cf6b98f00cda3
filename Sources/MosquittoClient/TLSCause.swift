// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What a secured connection failed at, in the order in which it can fail.
public enum TLSCause: Sendable, Equatable, CaseIterable {
    /// Our own certificate, its key or its passphrase, or the file of authorities.
    case ownFiles
    /// The other side does not speak TLS, or broke off before it said anything about certificates.
    case handshake
    /// The broker's certificate is not signed by an authority that we trust.
    case authority
    /// The broker's certificate has expired, or is not valid yet.
    case expiry
    /// The broker's certificate bears another name.
    case name
    /// The broker does not accept our certificate, or misses one.
    case clientCertificate
}
