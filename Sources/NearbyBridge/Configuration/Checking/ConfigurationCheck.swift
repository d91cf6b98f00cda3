// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Checks what no single value tells, and fills in the defaults that follow from other settings.
struct ConfigurationCheck {
    private(set) var settings: ConfigurationSettings
    private(set) var problems: [ConfigurationProblem] = []
    private(set) var warnings: [ConfigurationProblem] = []

    init(_ settings: ConfigurationSettings) {
        self.settings = settings
    }

    mutating func run() {
        deriveClientIdentifier()
        checkSecrets()
        checkLogin()
        checkTLS()
        checkJoin()
        checkRounds()
        checkZones()
        checkSmoothing()
        checkAccessories()
        checkSectors()
        checkPeople()
        checkGroups()
        checkSources()
        checkOutputs()
        checkInputs()
        checkShards()
    }

    private mutating func deriveClientIdentifier() {
        guard
            settings["mqtt.client_id"] == nil,
            let key = ConfigurationKey.all.first(where: { $0.path == "mqtt.client_id" }),
            case .text(let base)? = settings["mqtt.base_topic"]?.value
        else { return }
        let levels = base.split(separator: "/")
        // The base topic is bounded, so the identifier is; characters that it may not hold are no topic's either.
        let text = base == "nearby" ? "nearby-bridge" : "nearby-bridge-" + levels.joined(separator: "-")
        settings.set(
            ConfigurationPath(key.levels),
            ConfigurationSettings.Setting(key: key, value: .text(text), source: .standard)
        )
    }

    private mutating func checkSecrets() {
        for key in ["mqtt.password", "mqtt.tls.key_passphrase"]
        where settings[key].map({ !$0.isFromSecretFile }) == true {
            guard let file = settings["\(key)_file"] else { continue }
            problem("\(key)_file", file.source, "given together with \(key)", "keep one of the two")
        }
    }

    private mutating func checkLogin() {
        guard !isGiven("mqtt.username"), isSet("mqtt.protocol", to: "3.1.1") else { return }
        for key in ["mqtt.password", "mqtt.password_file"] {
            guard let setting = settings[key], !setting.isFromSecretFile else { continue }
            problem(key, setting.source, "MQTT 3.1.1 has no password without a user name", "set mqtt.username")
        }
    }

    private mutating func checkTLS() {
        let isEnabled = settings["mqtt.tls.enabled"]?.value == .boolean(true)
        for (one, other) in [("certificate", "key"), ("key", "certificate")] {
            guard let setting = settings["mqtt.tls.\(one)"], !isGiven("mqtt.tls.\(other)") else { continue }
            problem("mqtt.tls.\(one)", setting.source, "given without mqtt.tls.\(other)", "set both or neither")
        }
        if let insecure = settings["mqtt.tls.insecure"], insecure.value == .boolean(true) {
            warn(
                "mqtt.tls.insecure",
                insecure.source,
                "the broker's certificate may bear any name",
                "set mqtt.tls.server_name instead"
            )
        }
        let files = ["ca", "certificate", "server_name"].lazy.map { "mqtt.tls.\($0)" }
        if !isEnabled, let key = files.first(where: { settings[$0] != nil }), let setting = settings[key] {
            warn(key, setting.source, "the connection is not encrypted all the same", "set mqtt.tls.enabled to true")
        }
    }

    private mutating func checkJoin() {
        guard let join = settings["join"] else { return }
        if join.value == .text("allowlist"), settings.names(in: ConfigurationPath(["accessories"])).isEmpty {
            warn("join", join.source, "no accessory is listed, so none is taken", "list some under accessories")
        }
    }

    private mutating func checkZones() {
        let section = ConfigurationPath(["zones"])
        for zone in settings.names(in: section).dropFirst(Zone.maximumCount) {
            problem("zones.\(zone.text)", zone.source, "more than \(Zone.maximumCount) zones", "remove some")
        }
        guard let key = ConfigurationKey.all.first(where: { $0.path == "zones.*.radius" }) else { return }
        for zone in settings.names(in: section) {
            let path = section.appending(zone.text).appending("radius")
            guard !settings.isGiven(path) else { continue }
            if let known = ConfigurationKey.defaultZones.first(where: { $0.name == zone.text }) {
                settings.set(
                    path,
                    ConfigurationSettings.Setting(key: key, value: .number(known.radius), source: .standard)
                )
            } else {
                problem("\(path)", zone.source, "missing", "write \"radius: 2.0\", in metres")
            }
        }
    }

    /// The filters that a figure belongs to; those of the gate belong to all.
    private static let filters = [
        "alpha": ["ema"], "time_constant": ["ema"], "window": ["median"],
        "process_noise": ["kalman"], "measurement_noise": ["kalman"],
        "min_cutoff": ["one_euro"], "beta": ["one_euro"],
    ]

    private mutating func checkSmoothing() {
        guard
            !settings.isRefused(ConfigurationPath(["smoothing", "filter"])),
            let filter = settings["smoothing.filter"], case .text(let name) = filter.value
        else { return }
        for (figure, filters) in Self.filters.sorted(by: { $0.key < $1.key }) where !filters.contains(name) {
            let key = "smoothing.\(figure)"
            // A filter chosen on the command line leaves the figures of the file's filter without meaning, not wrong.
            guard let setting = settings[key], setting.source.layer >= filter.source.layer else { continue }
            let fitting = filters.joined(separator: " or ")
            problem(
                key,
                setting.source,
                "does not belong to the filter \(name)",
                "set filter to \(fitting), or remove it"
            )
        }
        if name == "ema", let alpha = settings["smoothing.alpha"], settings["smoothing.time_constant"] != nil {
            problem("smoothing.alpha", alpha.source, "given together with time_constant", "keep one of the two")
        }
    }

    private mutating func checkAccessories() {
        guard !settings.isRefused(ConfigurationPath(["zones"])) else { return }
        let zones = settings.names(in: ConfigurationPath(["zones"])).map(\.text)
        let section = ConfigurationPath(["accessories"])
        for accessory in settings.names(in: section) {
            let path = section.appending(accessory.text)
            checkZoneNames(below: path, known: zones)
            var names: Set<String> = []
            let peers = Set(settings.names(in: path.appending("peers")).map(\.text))
            for peer in settings.names(in: path.appending("peers")) {
                let peerPath = path.appending("peers").appending(peer.text)
                checkZoneNames(below: peerPath, known: zones)
                let setting = settings[peerPath.appending("name")]
                var name = peer.text
                if case .text(let text)? = setting?.value { name = text }
                // Reports would mean the one, topics the other.
                let isAmbiguous = name != peer.text && peers.contains(name)
                if isAmbiguous || !names.insert(name).inserted {
                    problem(
                        "\(peerPath)",
                        setting?.source ?? peer.source,
                        "a second peer named \(name)",
                        "choose another"
                    )
                }
            }
        }
    }

    private mutating func checkZoneNames(below path: ConfigurationPath, known: [String]) {
        let section = path.appending("zones")
        for zone in settings.names(in: section) where !known.contains(zone.text) {
            let near = NearestName.of(zone.text, in: known)
            let fix = near.map { "did you mean \($0)?" } ?? "add it under zones"
            problem("\(section.appending(zone.text))", zone.source, "no zone of this name", fix)
        }
    }

    private mutating func checkShards() {
        for (key, value) in [("shards.count", ConfigurationValue.integer(1)), ("shards.owned", .list([.integer(0)]))] {
            guard let setting = settings[key], setting.value != value else { continue }
            warn(key, setting.source, "accepted, but this version is one shard", "remove it to be rid of this warning")
            return
        }
    }

    private func isSet(_ key: String, to text: String) -> Bool {
        settings[key]?.value == .text(text)
    }

    private func isGiven(_ key: String) -> Bool {
        settings.isGiven(ConfigurationPath().appending(key: key))
    }

    mutating func problem(_ key: String, _ source: ConfigurationSource, _ message: String, _ fix: String) {
        problems.append(ConfigurationProblem(key: key, source: source, message: message, fix: fix))
    }

    mutating func warn(_ key: String, _ source: ConfigurationSource, _ message: String, _ fix: String) {
        warnings.append(ConfigurationProblem(key: key, source: source, message: message, fix: fix))
    }
}
