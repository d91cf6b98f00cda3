// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import MosquittoClient
import NearbyCore

/// What one bridge process is told to do, made from the configuration.
struct BridgeOptions: Sendable {
    /// Every topic.
    var topics: TopicScheme
    /// Which foreign topics are ours to read.
    var sources = SourceMapping()
    /// Where distances are told to `mqtt_room` sensors, if they are.
    var roomTopic: String?
    /// Where zone events are told as fence events of omlox, if they are.
    var fencePrefix: String?
    /// Which devices and ports are ours to read.
    var inputs: [InputConfiguration] = []
    /// The place of the first of them among the sources of the engine: those on foreign topics come first.
    var firstInput = 0
    /// How to reach the broker, without client identifier, will and session: those belong to the loop.
    var broker: ConnectionOptions
    /// Who we are to the broker.
    var clientIdentifier: String
    /// 0 or 1: how reports are subscribed to.
    var reportQualityOfService: QualityOfService = .atMostOnce
    /// False for brokers that forbid retained messages.
    var isRetaining = true
    /// An event older than this is not published any more.
    var eventExpiry: Duration = .seconds(60)
    /// Bytes that the outbox holds.
    var outboxBytes = 16 << 20
    /// Where what must survive a restart is kept.
    var state: StateOptions?
    /// What the engine is told.
    var engine = EngineOptions()
    /// The configuration for `bridge/info`, secrets left out.
    var published: [(key: String, value: String)] = []
    /// Keys that were changed and wait for a restart.
    var restartKeys: [String] = []
    /// Tells this process from any other bridge.
    var instance = BridgeOptions.randomToken()

    /// Sixteen random hexadecimal digits.
    static func randomToken() -> String {
        let text = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

extension BridgeOptions {
    /// The folder of the store; `nil` keeps nothing.
    var stateFolder: String? {
        state?.folder(environment: ProcessInfo.processInfo.environment, isRoot: OwnProcess.isRoot)
    }
}
