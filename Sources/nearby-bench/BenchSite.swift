// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyBridge

/// A broker of its own, and the bridge beside it, as two processes.
struct BenchSite {
    let broker: PrivateBroker
    let bridge: ChildProcess

    /// Starts both and waits until the bridge, whose path is `program`, listens.
    init(
        program: String,
        brokerSettings: [String] = ["set_tcp_nodelay true"],
        settings: [String] = []
    ) throws {
        let broker = try PrivateBroker(settings: brokerSettings)
        let watcher = try BenchClient(port: broker.port, name: "watcher")
        try watcher.subscribe("nearby/bridge/state")
        let all =
            ["mqtt.host=127.0.0.1", "mqtt.port=\(broker.port)", "state.path=none", "log.level=warning"] + settings
        self.broker = broker
        bridge = try ChildProcess([program, "run"] + all.flatMap { ["--set", $0] }, output: .null, error: .inherited)
        try watcher.wait("the bridge") { watcher.received > 0 }
    }

    /// Starts a bare client of libmosquitto as a process of its own.
    func bareClient(_ name: String) throws -> ChildProcess {
        try ChildProcess([Self.ownProgram, name, "\(broker.port)"], output: .null, error: .inherited)
    }

    /// This program.
    static var ownProgram: String { "/proc/self/exe" }

    /// The bridge that was built together with this program.
    static var bridgeBesideIt: String {
        let own = CommandLine.arguments[0]
        guard let slash = own.lastIndex(of: "/") else { return "nearby-bridge" }
        return own[...slash] + "nearby-bridge"
    }

    /// Ends both.
    func stop() {
        bridge.terminate()
        _ = bridge.wait()
        broker.stop()
    }
}
