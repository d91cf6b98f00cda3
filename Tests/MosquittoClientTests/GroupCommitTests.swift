// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import TestSupport
import Testing

/// Not a promise of libmosquitto but what it does, and what delivery at least once rests on.
@Suite("Between reading and writing")
struct GroupCommitTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let version: Version
        let isSecured: Bool
        var testDescription: String { "\(version)\(isSecured ? " over TLS" : "")" }
    }

    static let cases = [
        Case(version: .v311, isSecured: false), Case(version: .v5, isSecured: false),
        Case(version: .v311, isSecured: true), Case(version: .v5, isSecured: true),
    ]

    @Test(
        "no acknowledgement leaves: what was read before a crash comes again, what was written does not",
        arguments: cases
    )
    func redelivery(_ test: Case) throws {
        let authority = try CertificateAuthority()
        let identity = try authority.issue(["localhost", "IP:127.0.0.1"])
        let broker = try MosquittoProcess(tls: .init(certificate: identity.certificate, key: identity.key))
        let options = ConnectionOptions.local(
            test.isSecured ? broker.tlsPort : broker.port,
            "worker",
            version: test.version,
            cleanStart: false,
            tls: test.isSecured ? TLSOptions(authorityFile: authority.certificate) : nil
        )
        let expected = (1...6).map { "job \($0)" }
        do {
            let first = try ClientDriver(options)
            try first.start()
            _ = try first.subscribe(["job"])
            let sender = try MQTTTestClient(port: broker.port, clientIdentifier: "sender")
            for number in 1...6 { try sender.publish("job", "\(number)") }
            try first.run(writes: false) { first.messages.count == 6 }
            #expect(first.messages == expected)
            // Dropped here, with six acknowledgements queued: as a killed process would leave the broker.
        }
        do {
            let second = try ClientDriver(options)
            #expect(try second.start().isSessionPresent)
            try second.run { second.messages.count == 6 }
            #expect(second.messages == expected)
            try second.client.write()
            // Its acknowledgements are in the socket, in order, before the goodbye.
            second.client.disconnect()
            try second.run { second.client.descriptor < 0 }
            // The broker reads packet by packet: a successor that comes too early cuts the rest off.
            #expect(Waiting.until { broker.log.contains("Client worker disconnected") })
        }
        let third = try ClientDriver(options)
        try third.start()
        _ = try third.subscribe(["end"])
        try third.client.publish(topic: "end", payload: [UInt8](), qualityOfService: .atLeastOnce)
        try third.run { !third.messages.isEmpty }
        #expect(third.messages == ["end "])
    }
}
