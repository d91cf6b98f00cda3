// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import NearbyCore

extension BridgeOptions {
    /// Makes options from a loaded configuration.
    init(_ loaded: LoadedConfiguration) {
        let configuration = loaded.configuration
        let broker = configuration.broker
        topics = TopicScheme(base: broker.baseTopic)
        clientIdentifier = broker.clientIdentifier
        self.broker = Self.connectionOptions(broker)
        reportQualityOfService = broker.reportQualityOfService == 0 ? .atMostOnce : .atLeastOnce
        isRetaining = broker.retainsStates
        eventExpiry = configuration.eventExpiry
        outboxBytes = configuration.limits.outbox
        state = configuration.state
        sources = SourceMapping(configuration.sources)
        roomTopic = configuration.outputs.roomTopic
        fencePrefix = configuration.outputs.fencePrefix
        inputs = configuration.inputs
        firstInput = configuration.sources.count
        engine = EngineOptions(configuration)
        published = loaded.redacted.map { ($0.key, $0.value) }
    }

    /// What is configured of accessories, by identifier and by key below it; a part of `published`.
    var accessorySettings: [String: [(key: String, value: String)]] {
        var settings: [String: [(key: String, value: String)]] = [:]
        for (key, value) in published where key.hasPrefix("accessories.") {
            guard let path = ConfigurationPath(parsing: key[...]), path.levels.count > 2 else { continue }
            let below = ConfigurationPath(Array(path.levels.dropFirst(2)))
            settings[path.levels[1], default: []].append(("\(below)", value))
        }
        return settings
    }

    private static func connectionOptions(_ broker: BrokerOptions) -> ConnectionOptions {
        ConnectionOptions(
            host: broker.host,
            port: broker.port,
            clientIdentifier: broker.clientIdentifier,
            protocolVersion: broker.protocolVersion == .five ? .v5 : .v311,
            keepAlive: broker.keepAlive,
            sessionExpiry: broker.sessionExpiry ?? ConnectionOptions.neverExpires,
            username: broker.username,
            password: broker.password?.value,
            tls: broker.tls.isEnabled ? tlsOptions(broker.tls) : nil
        )
    }

    private static func tlsOptions(_ tls: BrokerOptions.TLS) -> TLSOptions {
        TLSOptions(
            authorityFile: tls.authorityFile,
            certificateFile: tls.certificateFile,
            keyFile: tls.keyFile,
            keyPassphrase: tls.keyPassphrase?.value,
            serverName: tls.serverName,
            isInsecure: tls.isInsecure
        )
    }
}

extension EngineOptions {
    /// What the configuration says to the engine.
    init(_ configuration: BridgeConfiguration) {
        self.init()
        zones = configuration.zones.map { NamedZone(name: $0.name, options: $0.options) }
        smoothing = FilterOptions(configuration.smoothing)
        lostAfter = configuration.lostAfter.map { .after($0) } ?? .never
        stateInterval = configuration.stateInterval
        peerForget = configuration.peerForget
        limits.accessories = configuration.limits.accessories
        limits.peers = configuration.limits.peers
        limits.payload = configuration.limits.payload
        limits.reportRate = Double(configuration.limits.reportRate)
        limits.stateRate = Double(configuration.limits.stateRate)
        limits.sessions = configuration.limits.sessions
        limits.accessorySessions = configuration.limits.accessorySessions
        limits.peerSessions = configuration.limits.peerSessions
        limits.sessionStarts = configuration.limits.sessionStarts
        session = configuration.session
        switch configuration.join {
        case .open: join = .open
        case .approve: join = .approve
        case .allowlist: join = .allowlist
        }
        if configuration.outputs.roomTopic != nil { stateHeartbeat = MQTTRoom.heartbeat }
        sources = configuration.sources.map(\.options) + configuration.inputs.map(\.options)
        people = configuration.people
        groups = configuration.groups
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
        lostAfter = configuration.lostAfter
        shareable = configuration.shareable
        capabilities = configuration.capabilities
        if let place = configuration.position, place.count >= 2 {
            position = SIMD3(place[0], place[1], place.count > 2 ? place[2] : 0)
            isHorizontal = place.count == 2
        }
        authorization = configuration.authorization
        technology = configuration.technology
        isBackground = configuration.isBackground
        zones = configuration.zones
        for peer in configuration.peers { peers[peer.id] = PeerOptions(peer) }
    }
}

extension PeerOptions {
    init(_ configuration: PeerConfiguration) {
        self.init()
        name = configuration.name
        distanceOffset = configuration.distanceOffset
        distanceScale = configuration.distanceScale
        lostAfter = configuration.lostAfter
        capabilities = configuration.capabilities
        authorization = configuration.authorization
        isRadio = configuration.isRadio
        zones = configuration.zones
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
