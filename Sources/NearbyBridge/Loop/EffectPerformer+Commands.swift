// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import NearbyCore

/// What accessories, radios and phones are told: sent now or never.
extension EffectPerformer {
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

    /// What a radio is told is worth as long as what its accessory is told.
    func append(_ command: RadioCommand, at now: Instant, to outbox: inout Outbox) {
        let timeouts = options.engine.session.timeouts
        let lifetime =
            switch command.kind {
            case .configureAndStart: timeouts.start
            case .stop: timeouts.stop
            }
        outbox.append(
            OutgoingMessage(
                topic: options.topics.command(of: command.accessory, peer: command.peer),
                payload: RadioCommandPayload.bytes(of: command),
                qualityOfService: 1,
                isRetained: false,
                expiresAt: now.advanced(by: max(lifetime, .seconds(1))),
                isCommand: true
            )
        )
    }
}
