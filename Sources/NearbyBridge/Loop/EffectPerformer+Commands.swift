// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import NearbyCore

/// What accessories and phones are told: sent now or never.
extension EffectPerformer {
    /// Sends what is told to accessories and phones.
    func sendNow(_ effect: BridgeEffect, at now: Instant, to outbox: inout Outbox) {
        if case .command(let command) = effect { append(command, at: now, to: &outbox) }
        if case .phoneConfiguration(let configuration) = effect { append(configuration, at: now, to: &outbox) }
        if case .peerToken(let token) = effect { append(token, at: now, to: &outbox) }
    }

    /// A command is worth nothing once its answer is no longer awaited, least of all to an accessory that was away.
    func append(_ command: AccessoryCommand, at now: Instant, to outbox: inout Outbox) {
        let timeouts = options.engine.session.timeouts
        let lifetime =
            switch command.command {
            case .initialize: timeouts.configuration
            case .configureAndStart: timeouts.start
            case .stop: timeouts.stop
            }
        outbox.append(
            OutgoingMessage(
                topic: options.topics.command(of: command.accessory),
                payload: CommandPayload.bytes(of: command),
                qualityOfService: 1,
                isRetained: false,
                expiresAt: now.advanced(by: max(lifetime, .seconds(1))),
                isCommand: true,
                userProperties: command.peer.map { [UserProperty("peer", $0)] } ?? []
            )
        )
    }

    /// A token is an identity: it goes to the one phone that it is for, now or never.
    func append(_ token: PeerToken, at now: Instant, to outbox: inout Outbox) {
        outbox.append(
            OutgoingMessage(
                topic: options.topics.peerToken(of: token.accessory, from: token.peer),
                payload: token.token.bytes,
                qualityOfService: 1,
                isRetained: false,
                expiresAt: now.advanced(by: max(options.engine.session.timeouts.start, .seconds(1))),
                isCommand: true,
                userProperties: [UserProperty("run", "\(token.run)")]
            )
        )
    }

    /// What a phone may read from an accessory's Bluetooth characteristic, or that there is nothing.
    func publishCharacteristic(of accessory: AccessoryIndex, _ engine: borrowing BridgeEngine, to outbox: inout Outbox)
    {
        guard let names = engine.names(of: StreamID(accessory: accessory)) else { return }
        let topic = options.topics.characteristic(of: names.accessory)
        append(
            retained: topic,
            engine.offeredConfiguration(of: accessory)?.encoded ?? [],
            qualityOfService: 1,
            to: &outbox
        )
    }

    /// The question is as short-lived as the wait for its answer.
    func append(_ configuration: PhoneConfiguration, at now: Instant, to outbox: inout Outbox) {
        outbox.append(
            OutgoingMessage(
                topic: options.topics.configuration(of: configuration.accessory, for: configuration.peer),
                payload: configuration.configuration.encoded,
                qualityOfService: 1,
                isRetained: false,
                expiresAt: now.advanced(by: max(options.engine.session.timeouts.shareable, .seconds(1))),
                isCommand: true,
                userProperties: [UserProperty("run", "\(configuration.run)")]
            )
        )
    }
}
