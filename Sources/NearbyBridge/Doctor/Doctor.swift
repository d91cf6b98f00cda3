// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import NearbyCore

/// Goes the way of a connection step by step and says what it finds; stops where later steps make no sense.
struct Doctor {
    let options: BridgeOptions
    /// The longest wait in each step.
    let patience: Duration
    /// Called with each step as it is done.
    let report: (DoctorStep) -> Void

    private var broker: ConnectionOptions { options.broker }
    private var address: String { "\(broker.host):\(broker.port)" }

    /// Examines everything.
    func examine() {
        examineClock()
        examineStore()
        guard let addresses = lookUp(), connectPlainly(addresses) else { return }
        let token = BridgeOptions.randomToken()
        let connection = BriefConnection(options, for: "doctor", token: token, timeout: patience)
        do throws(MosquittoError) {
            try connection.open()
        } catch {
            return explain(error)
        }
        defer { connection.close() }
        tellSecured()
        tellLogin()
        if options.isRetaining {
            let isAvailable = connection.acknowledgement?.isRetainAvailable ?? true
            tell(
                isAvailable ? .ok : .failed,
                "retained messages",
                isAvailable
                    ? "the broker keeps them" : "the broker keeps none: allow them there, or set mqtt.retain=false"
            )
        }
        var topics = TopicExamination(topics: options.topics, connection: connection, doctor: self, token: token)
        topics.run()
    }

    /// Tells of one step.
    func tell(_ status: DoctorStep.Status, _ name: String, _ text: String) {
        report(DoctorStep(status: status, name: name, text: text))
    }

    /// Whether this is MQTT 5, where a broker says what it refuses.
    var speaksFive: Bool { broker.protocolVersion == .v5 }

    // MARK: Before the broker

    private func examineClock() {
        let now = WallClock.now()
        let text = String(decoding: Timestamp.text(unixNanoseconds: now), as: UTF8.self)
        // Certificates, event times and numbers of events all follow the clock.
        let isPlausible = (1_735_689_600..<4_102_444_800).contains(now / 1_000_000_000)
        tell(
            isPlausible ? .ok : .failed,
            "clock",
            isPlausible ? text : "it says \(text), which cannot be: set it, or start time synchronisation"
        )
    }

    private func lookUp() -> [NetworkProbe.Address]? {
        let (host, port) = (broker.host, broker.port)
        let found = Self.onThread(atMost: patience) { () -> Result<[NetworkProbe.Address], NetworkProbe.Failure> in
            do throws(NetworkProbe.Failure) {
                return .success(try NetworkProbe.addresses(of: host, port: port))
            } catch {
                return .failure(error)
            }
        }
        switch found {
        case .success(let addresses) where !addresses.isEmpty:
            tell(.ok, "lookup", "\(host) is \(addresses.map(\.description).joined(separator: ", "))")
            return addresses
        case .success:
            tell(.failed, "lookup", "\(host) has no address; is mqtt.host right?")
        case .failure(let error):
            tell(.failed, "lookup", "\(host): \(error); is mqtt.host right, and does name resolution work?")
        case nil:
            tell(.failed, "lookup", "\(host): no answer within \(patience); does name resolution work?")
        }
        return nil
    }

    /// Whether one of the addresses takes connections.
    private func connectPlainly(_ addresses: [NetworkProbe.Address]) -> Bool {
        var reasons: [String] = []
        for address in addresses {
            do throws(NetworkProbe.Failure) {
                try NetworkProbe.connect(to: address, timeout: patience)
                tell(.ok, "tcp", "\(address) port \(broker.port) takes connections")
                return true
            } catch {
                reasons.append("\(address): \(error)")
            }
        }
        tell(
            .failed,
            "tcp",
            "port \(broker.port) of \(reasons.joined(separator: ", ")); is the broker running and listening there, is "
                + "mqtt.port right, and does every firewall let it through?"
        )
        return false
    }

    /// Does something that may block for long on a thread that is left behind if it does; `nil` then.
    private static func onThread<Value: Sendable>(
        atMost patience: Duration,
        _ body: @escaping @Sendable () -> Value
    ) -> Value? {
        let value = Locked<Value?>(nil)
        guard let wakeUp = try? WakeUp() else { return nil }
        let thread = try? Thread(name: "lookup") {
            let result = body()
            value.withLock { $0 = result }
            wakeUp.signal()
        }
        guard thread != nil else { return nil }
        var poller = Poller()
        _ = poller.add(wakeUp.descriptor)
        _ = try? poller.wait(timeout: patience)
        return value.withLock { $0 }
    }

    // MARK: TLS and login

    /// The steps of TLS with our configuration, in the order in which they can fail.
    private var secured: [(cause: TLSCause, name: String, text: String)] {
        guard let tls = broker.tls else { return [] }
        let trust = tls.isInsecure ? "anybody is trusted: mqtt.tls.insecure is on" : nil
        let own =
            tls.certificateFile.map { "\($0) and its key can be used" } ?? "there is no client certificate to load"
        return [
            (.ownFiles, "tls files", own),
            (.handshake, "tls handshake", "the broker speaks TLS"),
            (.authority, "tls authority", trust ?? "the broker's certificate is signed by one that we trust"),
            (.expiry, "tls expiry", trust ?? "the broker's certificate is valid today"),
            (.name, "tls name", trust ?? "the broker's certificate is for \(tls.serverName ?? broker.host)"),
            (
                .clientCertificate, "tls client certificate",
                tls.certificateFile == nil ? "the broker asks for none" : "the broker accepts ours"
            ),
        ]
    }

    private func tellSecured(before cause: TLSCause? = nil) {
        for step in secured {
            if step.cause == cause { return }
            let proves = !(broker.tls?.isInsecure ?? false) || ![.authority, .expiry, .name].contains(step.cause)
            tell(proves ? .ok : .skipped, step.name, step.text)
        }
    }

    private func tellLogin() {
        tell(.ok, "mqtt version", speaksFive ? "the broker speaks MQTT 5" : "the broker speaks MQTT 3.1.1")
        let user = broker.username.map { "as user \(PlainText.plain($0))" } ?? "without a user name"
        tell(.ok, "login", "accepted \(user)")
    }

    /// The connection did not come to be: names the step.
    private func explain(_ error: MosquittoError) {
        let text = [error.detail, error.advice].compactMap { $0 }.joined(separator: ". ")
        if let cause = error.tlsCause {
            tellSecured(before: cause)
            return tell(.failed, secured.first { $0.cause == cause }?.name ?? "tls", text)
        }
        switch error.kind {
        case .configuration:
            tell(.failed, broker.tls == nil ? "options" : "tls files", text)
        case .tls:
            tell(.failed, "tls handshake", text)
        case .protocolVersion:
            tellSecured()
            tell(.failed, "mqtt version", text.replacing("Choose the other MQTT version", with: "Set mqtt.protocol"))
        case .authentication, .identifierRejected:
            tellSecured()
            tell(.ok, "mqtt version", speaksFive ? "the broker speaks MQTT 5" : "the broker speaks MQTT 3.1.1")
            tell(.failed, "login", text)
        case .timedOut where broker.tls != nil:
            tell(.failed, "tls handshake", "\(text). Does that port speak TLS?")
        case .lookup, .refused, .timedOut, .network, .unavailable, .keepAlive, .payloadTooLarge, .invalidTopic,
            .notConnected, .closedByBroker, .sessionTakenOver, .protocolError, .outOfMemory, .other:
            tell(.failed, "mqtt", text)
        }
    }
}
