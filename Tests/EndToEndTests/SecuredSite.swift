// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport

/// A broker with TLS and what a bridge needs to reach it, all of it in files that a test can replace.
final class SecuredSite {
    let broker: MosquittoProcess
    let authority: CertificateAuthority
    let stranger: CertificateAuthority
    private let directory: TemporaryDirectory
    /// The passphrase that the bridge is told; never to be seen anywhere.
    static let passphrase = "open sesame"

    /// Starts a broker that is right in everything, and asks for client certificates if told to.
    init(asksForCertificate: Bool = false) throws {
        directory = try TemporaryDirectory()
        authority = try CertificateAuthority()
        stranger = try CertificateAuthority(name: "stranger")
        let server = try authority.issue(["localhost"])
        try directory.write(Self.text(of: server.certificate), to: "server.pem")
        try directory.write(Self.text(of: server.key), to: "server.key")
        try directory.write(Self.text(of: authority.certificate), to: "trusted.pem")
        try directory.write(Self.passphrase + "\n", to: "passphrase")
        broker = try MosquittoProcess(
            tls: .init(
                certificate: directory.file("server.pem"),
                key: directory.file("server.key"),
                clientAuthority: asksForCertificate ? authority.certificate : nil
            )
        )
    }

    private static func text(of file: String) throws -> String {
        String(decoding: try TextFile.read(file, maximumBytes: 1 << 20), as: UTF8.self)
    }

    /// Gives the broker another certificate, and restarts it.
    func replaceServer(_ identity: CertificateAuthority.Identity) throws {
        try directory.write(Self.text(of: identity.certificate), to: "server.pem")
        try directory.write(Self.text(of: identity.key), to: "server.key")
        try broker.restart()
    }

    /// Gives the bridge another certificate.
    func replaceClient(_ identity: CertificateAuthority.Identity) throws {
        // The key first: an attempt that comes between sees a pair that does not fit, and tries again.
        try directory.write(Self.text(of: identity.key), to: "client.key")
        try directory.write(Self.text(of: identity.certificate), to: "client.pem")
    }

    /// Trusts another authority.
    func trust(_ authority: CertificateAuthority) throws {
        try directory.write(Self.text(of: authority.certificate), to: "trusted.pem")
    }

    /// What a command is told; with our own certificate if there is one.
    func settings(port: Int? = nil, isSecured: Bool = true) -> [String] {
        var all = ["mqtt.host=localhost", "mqtt.port=\(port ?? broker.tlsPort)"]
        if isSecured { all += ["mqtt.tls.enabled=true", "mqtt.tls.ca=\(directory.file("trusted.pem"))"] }
        if isSecured, !directory.text(of: "client.pem").isEmpty {
            all += [
                "mqtt.tls.certificate=\(directory.file("client.pem"))", "mqtt.tls.key=\(directory.file("client.key"))",
                "mqtt.tls.key_passphrase_file=\(directory.file("passphrase"))",
            ]
        }
        return all.flatMap { ["--set", $0] }
    }
}
