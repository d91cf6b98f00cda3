// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import TestSupport
import Testing

@Suite("A secured connection")
struct TLSOptionsTests {
    /// A broker with a certificate for `names`, made by `authority`.
    private func broker(
        _ authority: CertificateAuthority,
        names: [String] = ["localhost", "IP:127.0.0.1"],
        days: Int = 30,
        clientAuthority: CertificateAuthority? = nil
    ) throws -> MosquittoProcess {
        let identity = try authority.issue(names, days: days)
        return try MosquittoProcess(
            tls: .init(
                certificate: identity.certificate,
                key: identity.key,
                clientAuthority: clientAuthority?.certificate
            )
        )
    }

    @Test("works with the right authority, by name and by address", arguments: ["localhost", "127.0.0.1"])
    func right(_ host: String) throws {
        let authority = try CertificateAuthority()
        let broker = try broker(authority)
        let tls = TLSOptions(authorityFile: authority.certificate)
        let driver = try ClientDriver(.local(broker.tlsPort, tls: tls, host: host))
        try driver.start()
        #expect(try driver.subscribe(["x"]) == [1])
        try driver.client.publish(topic: "x", payload: [0x79], qualityOfService: .atLeastOnce)
        try driver.run { driver.messages == ["x y"] }
        driver.client.disconnect()
        try driver.run { driver.client.descriptor < 0 }
        #expect(driver.events.last == .disconnected(nil))
    }

    @Test("reads all that OpenSSL has buffered", arguments: [1, 256])
    func buffered(_ maximumMessages: Int) throws {
        let authority = try CertificateAuthority()
        let broker = try broker(authority)
        let driver = try ClientDriver(
            .local(broker.tlsPort, tls: TLSOptions(authorityFile: authority.certificate))
        )
        driver.maximumMessages = maximumMessages
        try driver.start()
        _ = try driver.subscribe(["n"])
        for number in 0..<800 {
            try driver.client.publish(topic: "n", payload: Array("\(number)".utf8), qualityOfService: .atMostOnce)
        }
        for number in 800..<830 {
            try driver.client.publish(topic: "n", payload: Array("\(number)".utf8), qualityOfService: .atLeastOnce)
        }
        try driver.run { driver.messages.count == 830 }
        #expect(driver.messages == (0..<830).map { "n \($0)" })
    }

    @Test("refuses a broker of another authority, of another name or out of date")
    func wrongServers() throws {
        let authority = try CertificateAuthority()
        let stranger = try CertificateAuthority(name: "stranger")
        let tls = TLSOptions(authorityFile: authority.certificate)
        func error(_ broker: MosquittoProcess, host: String = "localhost") throws -> MosquittoError {
            let error = try #require(try ClientDriver(.local(broker.tlsPort, tls: tls, host: host)).failure())
            #expect(error.kind == .tls)
            #expect(!error.isRetryable)
            return error
        }
        let wrongAuthority = try error(try broker(stranger))
        #expect(wrongAuthority.detail.contains("certificate"), "\(wrongAuthority)")
        #expect(wrongAuthority.tlsCause == .authority)
        let wrongName = try error(try broker(authority, names: ["elsewhere.example"]))
        #expect(wrongName.detail == "the broker's certificate is not for localhost", "\(wrongName)")
        #expect(wrongName.tlsCause == .name)
        let expired = try error(try broker(authority, days: -1))
        #expect(expired.detail.contains("expired"), "\(expired)")
        #expect(expired.tlsCause == .expiry)
    }

    @Test("trusts only the system's authorities when none is given")
    func systemAuthorities() throws {
        let authority = try CertificateAuthority()
        let broker = try broker(authority)
        let error = try #require(try ClientDriver(.local(broker.tlsPort, tls: TLSOptions())).failure())
        #expect(error.kind == .tls)
    }

    @Test("accepts anything when told to be insecure")
    func insecure() throws {
        let authority = try CertificateAuthority()
        let broker = try broker(authority, names: ["elsewhere.example"], days: -1)
        let tls = TLSOptions(serverName: "third.example", isInsecure: true)
        try ClientDriver(.local(broker.tlsPort, tls: tls)).start()
    }

    @Test("checks the name it is told to check")
    func serverName() throws {
        let authority = try CertificateAuthority()
        let broker = try broker(authority, names: ["broker.example"])
        var tls = TLSOptions(authorityFile: authority.certificate, serverName: "broker.example")
        try ClientDriver(.local(broker.tlsPort, tls: tls)).start()
        tls.serverName = "other.example"
        let driver = try ClientDriver(.local(broker.tlsPort, "shy", tls: tls))
        let error = try #require(driver.failure())
        #expect(error.kind == .tls)
        #expect(error.detail == "the broker's certificate is not for other.example")
        #expect(error.tlsCause == .name)
        #expect(driver.events == [.disconnected(error)])
        // Nothing of MQTT was said before the name was known to be right.
        #expect(!broker.log.contains("as shy"))
    }

    @Test("shows its own certificate, from an encrypted key too", arguments: [nil, "open sesame"])
    func clientCertificate(_ passphrase: String?) throws {
        let authority = try CertificateAuthority()
        let broker = try broker(authority, clientAuthority: authority)
        let identity = try authority.issue(["client"], passphrase: passphrase)
        let tls = TLSOptions(
            authorityFile: authority.certificate,
            certificateFile: identity.certificate,
            keyFile: identity.key,
            keyPassphrase: passphrase
        )
        let driver = try ClientDriver(.local(broker.tlsPort, tls: tls))
        try driver.start()
        #expect(try driver.subscribe(["x"]) == [1])
    }

    @Test("says so when the broker does not accept our certificate, or wants one", arguments: [true, false])
    func refusedClientCertificate(_ hasCertificate: Bool) throws {
        let authority = try CertificateAuthority()
        let broker = try broker(authority, clientAuthority: authority)
        var tls = TLSOptions(authorityFile: authority.certificate)
        let identity = try CertificateAuthority(name: "stranger").issue(["client"])
        if hasCertificate {
            (tls.certificateFile, tls.keyFile) = (identity.certificate, identity.key)
        }
        let driver = try ClientDriver(.local(broker.tlsPort, tls: tls))
        let error = try #require(driver.failure())
        #expect(error.kind == .tls, "\(error)")
        #expect(error.tlsCause == .clientCertificate)
        #expect(driver.turns < 100)
    }

    @Test("says so when the key stays locked, and never shows the passphrase", arguments: [nil, "wrong words"])
    func lockedKey(_ passphrase: String?) throws {
        let authority = try CertificateAuthority()
        let broker = try broker(authority, clientAuthority: authority)
        let identity = try authority.issue(["client"], passphrase: "right words")
        let tls = TLSOptions(
            authorityFile: authority.certificate,
            certificateFile: identity.certificate,
            keyFile: identity.key,
            keyPassphrase: passphrase
        )
        let error = try #require(try ClientDriver(.local(broker.tlsPort, tls: tls)).failure())
        #expect(error.kind == .tls)
        #expect(error.tlsCause == .ownFiles)
        #expect(error.description.contains(identity.key), "\(error)")
        #expect(!error.description.contains("words"))
    }

    @Test("says so when the port speaks plain MQTT")
    func plainPort() throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port, tls: TLSOptions()))
        let error = try #require(driver.failure())
        #expect(error.kind == .tls, "\(error)")
        #expect(driver.turns < 100)
    }

    @Test("is asked for when a plain client meets a TLS port", arguments: [Version.v311, .v5])
    func securedPort(_ version: Version) throws {
        let broker = try broker(try CertificateAuthority())
        let driver = try ClientDriver(.local(broker.tlsPort, version: version))
        let error = try #require(driver.failure())
        #expect([.protocolError, .closedByBroker].contains(error.kind), "\(error)")
        #expect(error.description.contains("TLS"), "\(error)")
        #expect(driver.turns < 100)
    }

    @Test("breaks off like any other when the broker dies")
    func brokerDeath() throws {
        let authority = try CertificateAuthority()
        let broker = try broker(authority)
        let driver = try ClientDriver(
            .local(broker.tlsPort, tls: TLSOptions(authorityFile: authority.certificate))
        )
        try driver.start()
        broker.kill()
        let error = #expect(throws: MosquittoError.self) { try driver.run { false } }
        #expect(error?.kind == .closedByBroker)
    }
}
