// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct ConfigurationLoaderTests {
    @Test func `loading nothing gives the defaults of the typed configuration`() throws {
        let loaded = try ConfigurationLoader.load()
        #expect(loaded.configuration == BridgeConfiguration())
        #expect(loaded.warnings.isEmpty)
        #expect(loaded.origin == "defaults")
        for text in ["", "# nothing\n"] {
            #expect(try load(text).redacted == loaded.redacted)
            #expect(try load(text).origin == "test.yaml")
        }
    }

    @Test(arguments: ConfigurationKey.all.filter { !$0.levels.contains("[]") }.map(\.path))
    func `default, file, environment, command line: the later source wins`(_ path: String) throws {
        let key = try #require(ConfigurationKey.all.first { $0.path == path })
        let (first, second) = key.type.samples
        func check(_ loaded: LoadedConfiguration, _ source: ConfigurationSource, _ text: String) {
            let setting = loaded.redacted.first { $0.key == key.concretePath }
            #expect(setting?.source == source)
            let value = ConfigurationReader.decode(text, of: key)?.text
            #expect(value != nil)
            if key.isSecret {
                #expect(loaded.secrets[key.concretePath]?.value == value)
            } else {
                #expect(setting?.value == value)
            }
        }
        if let standard = key.defaultText, !key.levels.contains("*") {
            check(try ConfigurationLoader.load(), .standard, standard)
        }
        let override = ["\(key.concretePath)=\(second)"] + key.companions
        check(try load(key.file(first), key.companions), .file(name: "test.yaml", line: key.line), first)
        check(try load(key.file(first), override), .commandLine, second)
        check(try load("", ["\(key.concretePath)=\(first)"] + override), .commandLine, second)
        guard let variable = EnvironmentName.of(key) else { return }
        let environment: [(name: String, value: String?)] = [(variable, second)]
        check(
            try load(key.file(first), environment: environment, key.companions),
            .environment(variable: variable),
            second
        )
        let last = ["\(key.concretePath)=\(first)"] + key.companions
        check(try load(key.file(second), environment: environment, last), .commandLine, first)
    }

    @Test func `every key either changes the configuration or is warned of`() throws {
        for key in ConfigurationKey.all {
            let samples = key.type.samples
            let values = [samples.0, samples.1].map { value in Result { try load(key.file(value), key.companions) } }
            let loaded = try values.map { try $0.get() }
            var hasBuiltValues = key.isBuilt
            if case .choice(let words, _) = key.type, words.count < 2 { hasBuiltValues = false }
            if hasBuiltValues {
                #expect(loaded[0].configuration != loaded[1].configuration, "\(key.path)")
            } else {
                let warnings = loaded.flatMap(\.warnings)
                #expect(warnings.contains { key.concretePath.hasPrefix($0.key ?? "?") }, "\(key.path)")
                #expect(loaded[0].configuration == loaded[1].configuration, "\(key.path)")
            }
        }
    }

    @Test func `all problems of all sources come at once`() {
        let text = """
            mqtt: {port: 0, hots: x}
            zones:
              outside: {radius: 1}
              gate: {hysteresis: 0}
            smoothing: {filter: median, alpha: 0.3}
            colour: red
            """
        let found = problems(text, ["log.level=loud", "nonsense"])
        #expect(
            found.map { $0.key ?? "-" } == [
                "mqtt.port", "mqtt.hots", "zones.outside", "zones.gate.hysteresis", "colour", "log.level", "-",
                "zones.gate.radius", "smoothing.alpha",
            ]
        )
    }

    @Test func `a file that lists zones says which there are, in its order`() throws {
        let zones = try load("zones: {gate: {radius: 5}, near: {}, immediate: {radius: 1}}").configuration.zones
        #expect(zones.map(\.name) == ["gate", "near", "immediate"])
        #expect(zones.map(\.radius) == [5, 3, 1])
        #expect(try load("zones:\n").configuration.zones.count == 2)
        #expect(try load("zones: {}\n").configuration.zones.isEmpty)
        let added = try load("", ["zones.gate.radius=5", "zones.near.dwell=30s"]).configuration.zones
        #expect(added.map(\.name) == ["immediate", "near", "gate"])
        #expect(added[1].options.dwell == .after(.seconds(30)))
    }

    @Test func `each zone beyond what the engine can hold is a problem`() throws {
        let zones = (0..<34).map { "  z\($0): {radius: \($0 + 1)}\n" }.joined()
        #expect(problems("zones:\n\(zones)").map(\.key) == ["zones.z32", "zones.z33"])
    }

    @Test func `overrides of zones stay where they were written`() throws {
        let text = """
            lost_after: never
            zones: {near: {radius: 3, lost_after: 5s}}
            accessories:
              forklift-17:
                name: Forklift 17
                distance_offset: -0.12
                reports: by_exception
                zones: {near: {radius: 2.0, enabled: false}}
                peers:
                  "0x0001": {name: gate-1, lost_after: never, zones: {near: {hysteresis: 0.5}}}
                  17: {}
              "42":
            """
        let configuration = try load(text).configuration
        #expect(configuration.lostAfter == nil)
        #expect(configuration.zones[0].options.lostAfter == .after(.seconds(5)))
        #expect(configuration.accessories.map(\.id) == ["forklift-17", "42"])
        let forklift = configuration.accessories[0]
        #expect(forklift.name == "Forklift 17")
        #expect(forklift.distanceOffset == -0.12)
        #expect(forklift.distanceScale == 1)
        #expect(forklift.reports == .byException)
        #expect(forklift.zones["near"]?.radius == 2)
        #expect(forklift.zones["near"]?.isEnabled == false)
        #expect(forklift.peers.map(\.id) == ["0x0001", "17"])
        #expect(forklift.peers[0].name == "gate-1")
        #expect(forklift.peers[0].lostAfter == .never)
        #expect(forklift.peers[0].zones["near"]?.hysteresis == 0.5)
    }

    @Test func `what devices can and where they stand reaches the engine`() throws {
        let loaded = try load(
            """
            accessories:
              gate: {capabilities: [precise_distance, direction], position: [1, -2.5]}
              dock:
                position: [1, 2, 3.5]
                capabilities: []
                peers: {alice: {capabilities: [dl_tdoa]}}
              lamp: {name: Lamp}
            """
        )
        let accessories = EngineOptions(loaded.configuration).accessories
        #expect(accessories["gate"]?.capabilities == [.preciseDistance, .direction])
        #expect(accessories["gate"]?.position == [1, -2.5, 0])
        #expect(accessories["gate"]?.isHorizontal == true)
        #expect(accessories["dock"]?.capabilities == [])
        #expect(accessories["dock"]?.position == [1, 2, 3.5])
        #expect(accessories["dock"]?.isHorizontal == false)
        #expect(accessories["dock"]?.peers["alice"]?.capabilities == [.downlinkTDoA])
        #expect(accessories["lamp"]?.capabilities == nil && accessories["lamp"]?.position == nil)
    }

    @Test func `a capability that is none has a suggestion, and a position two or three coordinates`() {
        let wrong = problems("accessories: {gate: {capabilities: [directions], position: [1]}}")
        #expect(wrong.map(\.key) == ["accessories.gate.capabilities", "accessories.gate.position"])
        #expect(wrong.first?.fix.contains("direction") == true, "\(wrong)")
    }

    @Test(arguments: [
        ("nearby", "nearby-bridge"), ("home", "nearby-bridge-home"), ("home/uwb/2", "nearby-bridge-home-uwb-2"),
    ])
    func `the client identifier follows the base topic`(_ base: String, _ expected: String) throws {
        #expect(try load("mqtt: {base_topic: \(base)}").configuration.broker.clientIdentifier == expected)
        #expect(try load("mqtt: {base_topic: \(base), client_id: x}").configuration.broker.clientIdentifier == "x")
    }

    @Test func `sections and lists can be given on the command line`() throws {
        let loaded = try load(
            "sources: [{topic: a}, {topic: b}]",
            ["smoothing={filter: ema, alpha: 0.3}", "groups.fleet=a,b", "sources=[{topic: c}]"]
        )
        #expect(loaded.configuration.smoothing.filter == .ema)
        #expect(loaded.configuration.smoothing.alpha == 0.3)
        #expect(loaded.redacted.first { $0.key == "groups.fleet" }?.value == "[a, b]")
        #expect(loaded.redacted.filter { $0.key.hasPrefix("sources") }.map(\.value) == ["c"])
    }

    @Test func `a name with dots is quoted on the command line`() throws {
        let loaded = try load("", ["accessories.\"a.b:c\".name=x"])
        #expect(loaded.configuration.accessories.map(\.id) == ["a.b:c"])
        #expect(loaded.redacted.contains { $0.key == "accessories.\"a.b:c\".name" })
        #expect(problems("", ["accessories.a.b.name=x"]).first?.fix.contains("quotes") == true)
    }

    @Test func `the contract's example loads with warnings only`() throws {
        let loaded = try load(contractExample)
        #expect(loaded.configuration.broker.passwordFile == "p")
        #expect(loaded.configuration.accessories[0].peers[0].name == "gate-1")
        #expect(
            loaded.warnings.map { $0.key ?? "-" } == [
                "home_assistant", "http", "mqtt.tls.ca",
            ]
        )
        #expect(loaded.redacted == loaded.redacted.sorted { $0.key < $1.key })
    }

    @Test func `a fault of the grammar names file and line`() {
        #expect(
            problems("mqtt:\n\thost: x\n", ["smoothing.alpha=0.3"]).map(\.description) == [
                "test.yaml:2: a tab indents this line; indent with spaces only"
            ]
        )
    }

    @Test func `a whole file cut or flipped anywhere never traps`() {
        let bytes = Array(contractExample.utf8)
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 1 << (index % 8)
            for bytes in [Array(bytes[..<index]), flipped] {
                _ = try? ConfigurationLoader.load(file: ConfigurationFile(name: "f", bytes: bytes))
            }
        }
    }
}

/// The example of the contract, with all keys that it shows.
let contractExample = """
    mqtt: {host: localhost, port: 1883, base_topic: nearby, protocol: "5", client_id: nearby-bridge, username: u,
           password_file: p, keep_alive: 15s, session_expiry: 10m, report_qos: 0, retain: true,
           tls: {enabled: false, ca: f, certificate: f, key: f, key_passphrase_file: f, server_name: n, insecure: false}}
    join: open                      # open, approve, allowlist
    session:
      shareable: mint
      required: false
      country: EU
      channel: 9
      preamble: 11
      timeouts: {configuration: 5s, shareable: 5s, start: 3s, silence: 5s, stop: 2s, suspended: 60s, offline_grace: 5s}
      retry: {attempts: 3, backoff: [1s, 2s, 4s], idle: 60s}
    zones:
      immediate: {radius: 1.5}
      near: {radius: 3.0}
    smoothing: {filter: default}
    state_interval: 1s
    event_expiry: 60s
    peer_forget: 1h
    limits: {accessories: 10000, peers: 64, payload: 64KiB, report_rate: 100, state_rate: 2000, outbox: 16MiB}
    accessories:
      forklift-17: {name: Forklift 17, distance_offset: -0.12, distance_scale: 1.0, format: auto, reports: stream,
                    shareable: relay, zones: {immediate: {radius: 2.0}}, peers: {"0x0001": {name: gate-1}}}
    groups: {fleet: [forklift-17]}
    sources:
      - {topic: "espresense/devices/{peer}/{accessory}", format: espresense}
    inputs: []
    state: {path: /var/lib/nearby-bridge, sync: normal}
    home_assistant: {discovery: true, prefix: homeassistant, default_entity_id: true, device_tracker: false}
    http: {enabled: true, host: 127.0.0.1, port: 8080, token_file: f}
    shards: {count: 1, owned: [0]}
    log: {level: info, format: text}

    """
