// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

/// Every symptom of the README's table, made to happen, with the words that the README quotes.
@Suite(.onItsOwnThread)
struct TroubleshootingTests {
    /// Waits until the bridge says something, which the README must quote.
    private func expect(_ words: String, or others: String? = nil, from bridge: BridgeProcess) throws {
        let either = [words] + (others.map { [$0] } ?? [])
        let readme = try Fixtures.document("README.md")
        for words in either { #expect(readme.contains("`\(words)"), "the README does not quote: \(words)") }
        let isSaid = Waiting.until { either.contains { bridge.log.contains($0) } }
        #expect(isSaid, "instead of \(either):\n\(bridge.log)")
    }

    private func bridge(_ settings: [String]) throws -> BridgeProcess {
        try BridgeProcess(["run"] + (["mqtt.host=127.0.0.1"] + settings).flatMap { ["--set", $0] })
    }

    // MARK: Connecting

    @Test("Nobody listens, or the name is unknown")
    func nobody() throws {
        try expect("connection refused. Is the broker running and listening there?", from: bridge(["mqtt.port=1"]))
        try expect("the host name cannot be looked up", from: bridge(["mqtt.host=broker.invalid"]))
    }

    /// A broker that knows the user `bridge` with the password `right`, and what it may do.
    private func guardedBroker(_ directory: TemporaryDirectory, allowing rules: [String]) throws -> MosquittoProcess {
        let passwords = try directory.write("", to: "passwords")
        let ending = try ChildProcess(["mosquitto_passwd", "-b", passwords, "bridge", "right"]).wait()
        try #require(ending == .exited(status: 0))
        // Everybody else may do everything: who reports and who listens are not the subject.
        let rules = try directory.write(
            (["topic readwrite #", "user bridge"] + rules).joined(separator: "\n") + "\n",
            to: "rules"
        )
        return try MosquittoProcess(extra: ["password_file \(passwords)", "acl_file \(rules)"])
    }

    @Test("The password is wrong")
    func password() throws {
        let directory = try TemporaryDirectory()
        let broker = try guardedBroker(directory, allowing: ["topic readwrite nearby/#"])
        let wrong = try bridge(["mqtt.port=\(broker.port)", "mqtt.username=bridge", "mqtt.password=wrong"])
        try expect("the broker does not allow it. Check user name and password", from: wrong)
        #expect(!wrong.log.contains("=wrong"))
    }

    @Test("The access list lets the bridge read or write too little")
    func accessList() throws {
        let directory = try TemporaryDirectory()
        let login = ["mqtt.username=bridge", "mqtt.password=right"]
        let deaf = try guardedBroker(directory, allowing: ["topic read nearby/#"])
        let reader = try bridge(["mqtt.port=\(deaf.port)"] + login)
        try expect("the broker did not deliver nearby/bridge/start/", from: reader)
        try expect("the broker refuses what we publish", from: reader)

        // Mosquitto grants a subscription that it then brings nothing for: only the counter tells.
        let silent = try guardedBroker(try TemporaryDirectory(), allowing: ["topic readwrite nearby/bridge/#"])
        let writer = try bridge(["mqtt.port=\(silent.port)"] + login)
        try #require(Waiting.until { writer.log.contains("connected to") }, "\(writer.log)")
        let source = try MQTTTestClient(port: silent.port, clientIdentifier: "source")
        try source.subscribe("nearby/bridge/response/health")
        try source.publish("nearby/accessory/lamp/report", "{\"distance\":1}")
        // It says that it is connected before it has subscribed.
        let isAnswered = Waiting.until {
            _ = try? source.publish("nearby/bridge/request/health", "")
            Waiting.sleep(milliseconds: 200)
            return !source.messages.isEmpty
        }
        try #require(isAnswered, "\(writer.log)")
        let answer = try source.messages[0].decoded(Answer.self)
        #expect(answer.data?.accessories == 0)
        #expect(!writer.log.contains("error"))
    }

    @Test("The certificates do not fit")
    func certificates() throws {
        let authority = try CertificateAuthority()
        func secured(_ names: [String], days: Int = 30, asks: Bool = false) throws -> MosquittoProcess {
            let identity = try authority.issue(names, days: days)
            let clients = asks ? authority.certificate : nil
            return try MosquittoProcess(
                tls: .init(certificate: identity.certificate, key: identity.key, clientAuthority: clients)
            )
        }
        func check(
            _ broker: MosquittoProcess,
            port: Int? = nil,
            trusting: String,
            _ words: String,
            or others: String? = nil
        ) throws {
            let settings = ["mqtt.port=\(port ?? broker.tlsPort)", "mqtt.tls.enabled=true", "mqtt.tls.ca=\(trusting)"]
            try expect(words, or: others, from: bridge(settings))
        }
        let right = try secured(["IP:127.0.0.1"])
        let stranger = try CertificateAuthority(name: "stranger")
        try check(
            right,
            trusting: stranger.certificate,
            "the broker's certificate is not accepted: unable to get local issuer certificate"
        )
        try check(
            secured(["IP:127.0.0.1"], days: -1),
            trusting: authority.certificate,
            "the broker's certificate is not accepted: certificate has expired"
        )
        try check(secured(["other.example"]), trusting: authority.certificate, "the broker's certificate is not for ")
        let broken = "the broker broke off the TLS handshake"
        try check(
            secured(["IP:127.0.0.1"], asks: true),
            trusting: authority.certificate,
            "the broker asks for a client certificate"
        )
        try check(right, port: right.port, trusting: authority.certificate, broken)
        try expect("the broker closed the connection without an answer", from: bridge(["mqtt.port=\(right.tlsPort)"]))
    }

    @Test("Another bridge is there already")
    func twin() throws {
        let site = try Site()
        try expect("another bridge is alive on nearby: standing by until it ends", from: site.secondBridge())
    }

    // MARK: Reports without events

    /// Reports that make no event, and the counter that says why.
    struct Silence: Sendable, CustomTestStringConvertible {
        var counter: String
        var reports: [String]
        var isRetained = false
        var testDescription: String { counter }

        static let all = [
            Silence(counter: "retained_report", reports: ["{\"distance\":1}"], isRetained: true),
            Silence(
                counter: "no_measurement",
                reports: ["{\"distance\":1,\"status\":\"timeout\"}", "{\"distance\":null}"]
            ),
            Silence(counter: "malformed", reports: ["distance 1", "{\"distance\":\"near\"}"]),
            // Four that agree, then one that nobody can have walked to.
            Silence(counter: "gated", reports: [9, 9.1, 9, 9.1, 1].map { "{\"distance\":\($0)}" }),
            // The device's clock goes back.
            Silence(
                counter: "late",
                reports: [(9, 100), (9, 101), (1, 98)].map { "{\"distance\":\($0.0),\"timestamp\":\($0.1)}" }
            ),
        ]
    }

    @Test("Reports come and no event, and the health says why", arguments: Silence.all)
    func silence(_ silence: Silence) throws {
        let site = try Site()
        if silence.isRetained { site.bridge.stop() }
        for report in silence.reports {
            try site.source.publish(site.topic("accessory/lamp/report"), report, isRetained: silence.isRetained)
        }
        if silence.isRetained { try site.restartBridge() }
        #expect(Waiting.until { ((try? site.health().dropped[silence.counter]) ?? 0) > 0 }, "\(site.bridge.log)")
        #expect(site.events() == [])
        #expect(try Fixtures.document("README.md").contains("`\(silence.counter)`"))
    }

    @Test("One single report is not enough, and a report to another base topic does not arrive")
    func tooLittle() throws {
        let site = try Site()
        try site.source.publish("near/accessory/lamp/report", "{\"distance\":1}")
        #expect(try site.health().accessories == 0)
        try site.report(1)
        #expect(Waiting.until { (try? site.health().reports) == 1 })
        #expect(site.events() == [])
        try site.report(1)
        #expect(site.waitForEvents(2).map(\.summary) == ["enter near", "enter immediate"])
    }

    @Test("A report is not understood, and an accessory is refused")
    func refused() throws {
        let site = try Site(set: ["limits.accessories=1"])
        try site.source.publish(site.topic("accessory/lamp/report"), "distance 1")
        try expect("report not understood at byte ", from: site.bridge)
        try site.source.publish(site.topic("accessory/lamp two/report"), "{\"distance\":1}")
        try expect("refused (invalid_identifier)", from: site.bridge)
        try site.report(1, of: "second")
        try expect("refused (too_many_accessories)", from: site.bridge)
        try site.restartBridge(alsoSet: ["join=allowlist", "accessories.door.name=Door"])
        try site.report(1, of: "third")
        try expect("refused (not_allowed)", from: site.bridge)
    }
}
