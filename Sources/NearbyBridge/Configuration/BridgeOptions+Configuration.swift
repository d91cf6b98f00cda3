// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import NearbyCore

extension BridgeOptions {
    /// Makes options from a loaded configuration; reads the files that hold secrets.
    ///
    /// - Throws: A problem that names the key whose file cannot be used.
    init(_ loaded: LoadedConfiguration) throws(ConfigurationProblem) {
        let configuration = loaded.configuration
        let broker = configuration.broker
        topics = TopicScheme(base: broker.baseTopic)
        clientIdentifier = broker.clientIdentifier
        self.broker = try Self.connectionOptions(broker)
        reportQualityOfService = broker.reportQualityOfService == 0 ? .atMostOnce : .atLeastOnce
        isRetaining = broker.retainsStates
        eventExpiry = configuration.eventExpiry
        outboxBytes = configuration.limits.outbox
        state = configuration.state
        engine = EngineOptions(configuration)
        published = loaded.redacted.map { ($0.key, $0.value) }
    }

    private static func connectionOptions(_ broker: BrokerOptions) throws(ConfigurationProblem) -> ConnectionOptions {
        ConnectionOptions(
            host: broker.host,
            port: broker.port,
            clientIdentifier: broker.clientIdentifier,
            protocolVersion: broker.protocolVersion == .five ? .v5 : .v311,
            keepAlive: broker.keepAlive,
            sessionExpiry: broker.sessionExpiry ?? ConnectionOptions.neverExpires,
            username: broker.username,
            password: try secret(broker.password, inFile: broker.passwordFile, key: "mqtt.password_file"),
            tls: broker.tls.isEnabled ? try tlsOptions(broker.tls) : nil
        )
    }

    private static func tlsOptions(_ tls: BrokerOptions.TLS) throws(ConfigurationProblem) -> TLSOptions {
        TLSOptions(
            authorityFile: tls.authorityFile,
            certificateFile: tls.certificateFile,
            keyFile: tls.keyFile,
            keyPassphrase: try secret(
                tls.keyPassphrase,
                inFile: tls.keyPassphraseFile,
                key: "mqtt.tls.key_passphrase_file"
            ),
            serverName: tls.serverName,
            isInsecure: tls.isInsecure
        )
    }

    /// A secret as it stands in the configuration, or the first line of its file.
    private static func secret(
        _ inline: Secret?,
        inFile path: String?,
        key: String
    ) throws(ConfigurationProblem) -> String? {
        guard let path else { return inline?.value }
        do throws(TextFile.Failure) {
            let bytes = try TextFile.read(path, maximumBytes: 64 << 10)
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            return String(decoding: line, as: UTF8.self)
        } catch {
            throw ConfigurationProblem(
                key: key,
                source: .standard,
                message: "\(error)",
                fix: "name a file whose first line is the secret, readable by this user"
            )
        }
    }
}

extension EngineOptions {
    /// What the configuration says to the engine.
    init(_ configuration: BridgeConfiguration) {
        self.init()
        zones = configuration.zones.map { NamedZone(name: $0.name, options: ZoneOptions($0.options)) }
        smoothing = FilterOptions(configuration.smoothing)
        lostAfter = configuration.lostAfter.map { .after($0) } ?? .never
        stateInterval = configuration.stateInterval
        peerForget = configuration.peerForget
        limits.accessories = configuration.limits.accessories
        limits.peers = configuration.limits.peers
        limits.payload = configuration.limits.payload
        limits.reportRate = Double(configuration.limits.reportRate)
        limits.stateRate = Double(configuration.limits.stateRate)
        session = configuration.session
        join = configuration.join.requiresListing ? .allowlist : .open
        for accessory in configuration.accessories { accessories[accessory.id] = AccessoryOptions(accessory) }
    }
}

extension AccessoryOptions {
    init(_ configuration: AccessoryConfiguration) {
        self.init()
        name = configuration.name
        distanceOffset = configuration.distanceOffset
        distanceScale = configuration.distanceScale
        reports = configuration.reports == .byException ? .byException : .stream
        format = RangeFormat(rawValue: configuration.format) ?? .auto
        lostAfter = configuration.lostAfter.map(ZoneOptions.LostAfter.init)
        zones = configuration.zones.mapValues(ZoneOptions.init)
        for peer in configuration.peers { peers[peer.id] = PeerOptions(peer) }
    }
}

extension PeerOptions {
    init(_ configuration: PeerConfiguration) {
        self.init()
        name = configuration.name
        distanceOffset = configuration.distanceOffset
        distanceScale = configuration.distanceScale
        lostAfter = configuration.lostAfter.map(ZoneOptions.LostAfter.init)
        zones = configuration.zones.mapValues(ZoneOptions.init)
    }
}

extension ZoneOptions {
    init(_ overrides: ZoneOverrides) {
        self.init(
            radius: overrides.radius,
            hysteresis: overrides.hysteresis,
            enterHold: overrides.enterHold,
            exitHold: overrides.exitHold,
            lostAfter: overrides.lostAfter.map(LostAfter.init),
            dwell: overrides.dwell?.duration,
            isEnabled: overrides.isEnabled
        )
    }
}

extension ZoneOptions.LostAfter {
    init(_ patience: Patience) {
        self = patience.duration.map { .after($0) } ?? .never
    }
}

extension FilterOptions {
    init(_ options: SmoothingOptions) {
        let kind: Kind
        switch options.filter {
        case .standard: kind = .standard
        case .ema:
            kind = options.timeConstant.map { .timedEMA(timeConstant: $0) } ?? .ema(alpha: options.alpha ?? 0.3)
        case .median: kind = .median(window: options.window ?? .milliseconds(700))
        case .kalman:
            kind = .kalman(
                processNoise: options.processNoise ?? 1,
                measurementNoise: options.measurementNoise ?? 0.1
            )
        case .oneEuro:
            kind = .oneEuro(minimumCutoff: options.minimumCutoff ?? 0.5, beta: options.beta ?? 1)
        case .none: kind = .none
        }
        self.init(kind: kind, gateSpeed: options.gateSpeed, gateSlack: options.gateSlack)
    }
}
