// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Carries checked settings over into the typed configuration.
///
/// What is not set keeps the typed configuration's own default; a test holds the two sets of defaults together.
struct ConfigurationAssembler {
    let settings: ConfigurationSettings

    init(_ settings: ConfigurationSettings) {
        self.settings = settings
    }

    func configuration() -> BridgeConfiguration {
        var configuration = BridgeConfiguration()
        let root = ConfigurationPath()
        configuration.broker = broker()
        configuration.smoothing = smoothing()
        configuration.limits = limits()
        configuration.session = session()
        assign("join", in: root, to: &configuration.join)
        assign("state_interval", in: root, to: &configuration.stateInterval)
        assign("event_expiry", in: root, to: &configuration.eventExpiry)
        assignOrNever("peer_forget", in: root, to: &configuration.peerForget)
        assignOrNever("lost_after", in: root, to: &configuration.lostAfter)
        assign("state.path", in: root, to: &configuration.state.path)
        assign("state.sync", in: root, to: &configuration.state.synchronization)
        configuration.log = log()
        configuration.zones = zones()
        let accessories = ConfigurationPath(["accessories"])
        configuration.accessories = settings.names(in: accessories).map { name in
            accessory(name.text, at: accessories.appending(name.text))
        }
        configuration.people = people()
        configuration.groups = groups()
        configuration.sources = sources()
        assign("outputs.mqtt_room", in: root, to: &configuration.outputs.roomTopic)
        assign("outputs.omlox", in: root, to: &configuration.outputs.fencePrefix)
        configuration.inputs = inputs()
        return configuration
    }

    private func broker() -> BrokerOptions {
        var broker = BrokerOptions()
        let path = ConfigurationPath(["mqtt"])
        assign("host", in: path, to: &broker.host)
        assign("port", in: path, to: &broker.port)
        assign("base_topic", in: path, to: &broker.baseTopic)
        assign("protocol", in: path, to: &broker.protocolVersion)
        assign("client_id", in: path, to: &broker.clientIdentifier)
        assign("username", in: path, to: &broker.username)
        assign("password", in: path, to: &broker.password)
        assign("password_file", in: path, to: &broker.passwordFile)
        assign("keep_alive", in: path, to: &broker.keepAlive)
        assignOrNever("session_expiry", in: path, to: &broker.sessionExpiry)
        assign("report_qos", in: path, to: &broker.reportQualityOfService)
        assign("retain", in: path, to: &broker.retainsStates)
        assign("tls.enabled", in: path, to: &broker.tls.isEnabled)
        assign("tls.ca", in: path, to: &broker.tls.authorityFile)
        assign("tls.certificate", in: path, to: &broker.tls.certificateFile)
        assign("tls.key", in: path, to: &broker.tls.keyFile)
        assign("tls.key_passphrase", in: path, to: &broker.tls.keyPassphrase)
        assign("tls.key_passphrase_file", in: path, to: &broker.tls.keyPassphraseFile)
        assign("tls.server_name", in: path, to: &broker.tls.serverName)
        assign("tls.insecure", in: path, to: &broker.tls.isInsecure)
        return broker
    }

    private func smoothing() -> SmoothingOptions {
        var smoothing = SmoothingOptions()
        let path = ConfigurationPath(["smoothing"])
        assign("filter", in: path, to: &smoothing.filter)
        assign("alpha", in: path, to: &smoothing.alpha)
        assign("window", in: path, to: &smoothing.window)
        assign("time_constant", in: path, to: &smoothing.timeConstant)
        assign("process_noise", in: path, to: &smoothing.processNoise)
        assign("measurement_noise", in: path, to: &smoothing.measurementNoise)
        assign("min_cutoff", in: path, to: &smoothing.minimumCutoff)
        assign("beta", in: path, to: &smoothing.beta)
        assign("gate_speed", in: path, to: &smoothing.gateSpeed)
        assign("gate_slack", in: path, to: &smoothing.gateSlack)
        return smoothing
    }

    private func session() -> SessionOptions {
        var session = SessionOptions()
        let path = ConfigurationPath(["session"])
        assign("shareable", in: path, to: &session.shareable)
        assign("required", in: path, to: &session.isRequired)
        assign("authorization", in: path, to: &session.authorization)
        assign("country", in: path, to: &session.source.country)
        assign("channel", in: path, to: &session.source.channel)
        assign("preamble", in: path, to: &session.source.preamble)
        assign("slots", in: path, to: &session.source.slotsPerRound)
        assign("slot_duration", in: path, to: &session.source.slotDuration)
        var interval: Duration?
        assign("interval", in: path, to: &interval)
        session.source.interval = interval.map { UInt16(clamping: Int($0 / .milliseconds(1))) }
        assign("hopping", in: path, to: &session.source.isHopping)
        assign("timeouts.configuration", in: path, to: &session.timeouts.configuration)
        assign("timeouts.shareable", in: path, to: &session.timeouts.shareable)
        assign("timeouts.start", in: path, to: &session.timeouts.start)
        assign("timeouts.silence", in: path, to: &session.timeouts.silence)
        assign("timeouts.stop", in: path, to: &session.timeouts.stop)
        assign("timeouts.suspended", in: path, to: &session.timeouts.suspended)
        assign("timeouts.offline_grace", in: path, to: &session.timeouts.offlineGrace)
        assign("retry.attempts", in: path, to: &session.retry.attempts)
        assign("retry.backoff", in: path, to: &session.retry.backOff)
        assignOrNever("retry.idle", in: path, to: &session.retry.idle)
        return session
    }

    private func log() -> LogOptions {
        var log = LogOptions()
        let path = ConfigurationPath(["log"])
        assign("level", in: path, to: &log.level)
        assign("format", in: path, to: &log.format)
        for subsystem in LogSubsystem.allCases {
            assign("levels.\(subsystem.rawValue)", in: path, to: &log.levels[subsystem])
        }
        return log
    }

    private func limits() -> LimitOptions {
        var limits = LimitOptions()
        let path = ConfigurationPath(["limits"])
        assign("accessories", in: path, to: &limits.accessories)
        assign("peers", in: path, to: &limits.peers)
        assign("payload", in: path, to: &limits.payload)
        assign("report_rate", in: path, to: &limits.reportRate)
        assign("state_rate", in: path, to: &limits.stateRate)
        assign("sessions", in: path, to: &limits.sessions)
        assign("accessory_sessions", in: path, to: &limits.accessorySessions)
        assign("peer_sessions", in: path, to: &limits.peerSessions)
        assign("session_starts", in: path, to: &limits.sessionStarts)
        assign("outbox", in: path, to: &limits.outbox)
        return limits
    }

    private func zones() -> [ZoneConfiguration] {
        let section = ConfigurationPath(["zones"])
        return settings.names(in: section).compactMap { name in
            let options = overrides(at: section.appending(name.text))
            // A zone without a radius was a problem already.
            guard let radius = options.radius else { return nil }
            var zone = ZoneConfiguration(name: name.text, radius: radius)
            zone.options = options
            return zone
        }
    }

    private func overrides(at path: ConfigurationPath) -> ZoneOptions {
        var overrides = ZoneOptions()
        assign("radius", in: path, to: &overrides.radius)
        assign("hysteresis", in: path, to: &overrides.hysteresis)
        assign("enter_hold", in: path, to: &overrides.enterHold)
        assign("exit_hold", in: path, to: &overrides.exitHold)
        assign("lost_after", in: path, to: &overrides.lostAfter)
        assign("dwell", in: path, to: &overrides.dwell)
        assign("enabled", in: path, to: &overrides.isEnabled)
        assign("azimuth.from", in: path, to: &overrides.azimuthFrom)
        assign("azimuth.to", in: path, to: &overrides.azimuthTo)
        assign("azimuth_hysteresis", in: path, to: &overrides.azimuthHysteresis)
        assign("azimuth_quality", in: path, to: &overrides.azimuthQuality)
        return overrides
    }

    private func zoneOverrides(below path: ConfigurationPath) -> [String: ZoneOptions] {
        let section = path.appending("zones")
        let pairs = settings.names(in: section).map { ($0.text, overrides(at: section.appending($0.text))) }
        return Dictionary(pairs) { first, _ in first }
    }

    private func accessory(_ id: String, at path: ConfigurationPath) -> AccessoryConfiguration {
        var accessory = AccessoryConfiguration(id: id)
        assign("name", in: path, to: &accessory.name)
        assign("distance_offset", in: path, to: &accessory.distanceOffset)
        assign("distance_scale", in: path, to: &accessory.distanceScale)
        assign("format", in: path, to: &accessory.format)
        assign("reports", in: path, to: &accessory.reports)
        assign("lost_after", in: path, to: &accessory.lostAfter)
        assign("shareable", in: path, to: &accessory.shareable)
        assign("capabilities", in: path, to: &accessory.capabilities)
        assign("position", in: path, to: &accessory.position)
        assign("authorization", in: path, to: &accessory.authorization)
        assign("technology", in: path, to: &accessory.technology)
        assign("background", in: path, to: &accessory.isBackground)
        accessory.zones = zoneOverrides(below: path)
        let peers = path.appending("peers")
        accessory.peers = settings.names(in: peers).map { name in peer(name.text, at: peers.appending(name.text)) }
        return accessory
    }

    private func peer(_ id: String, at path: ConfigurationPath) -> PeerConfiguration {
        var peer = PeerConfiguration(id: id)
        assign("name", in: path, to: &peer.name)
        assign("distance_offset", in: path, to: &peer.distanceOffset)
        assign("distance_scale", in: path, to: &peer.distanceScale)
        assign("lost_after", in: path, to: &peer.lostAfter)
        assign("capabilities", in: path, to: &peer.capabilities)
        assign("authorization", in: path, to: &peer.authorization)
        assign("radio", in: path, to: &peer.isRadio)
        peer.zones = zoneOverrides(below: path)
        return peer
    }

    func assign<T: ConfigurationDecodable>(_ key: String, in path: ConfigurationPath, to target: inout T) {
        if let value = settings[path.appending(key: key)]?.value, let typed = T(value) { target = typed }
    }

    func assign<T: ConfigurationDecodable>(_ key: String, in path: ConfigurationPath, to target: inout T?) {
        if let value = settings[path.appending(key: key)]?.value, let typed = T(value) { target = typed }
    }

    private func assignOrNever(_ key: String, in path: ConfigurationPath, to target: inout Duration?) {
        guard let value = settings[path.appending(key: key)]?.value, let typed = Patience(value) else { return }
        target = typed.duration
    }
}
