// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import NearbyCore

/// What phones are told of each other, and what they may read from an accessory in the background.
extension EffectPerformer {
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
}
