// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Numbers of session events.
extension BridgeEngine {
    /// Makes an event of a session.
    mutating func emit(
        _ kind: SessionEvent.Kind,
        of owner: SessionOwner,
        into effects: inout EffectBuffer
    ) {
        let accessory = accessoryIndex(of: owner)
        let event = SessionEvent(
            accessory: name(ofAccessory: accessory),
            peer: peer(of: owner),
            sequence: nextSequence(of: owner),
            at: clock,
            kind: kind
        )
        effects.append(.sessionEvent(event))
    }

    private mutating func nextSequence(of owner: SessionOwner) -> Int64 {
        counters.events += 1
        switch owner {
        case .accessory(let index):
            let sequence = number(after: accessories[index].stream.nextSequence, at: clock)
            accessories[index].stream.nextSequence = sequence + 1
            return sequence
        case .track(let index):
            let sequence = number(after: tracks[index].stream.nextSequence, at: clock)
            tracks[index].stream.nextSequence = sequence + 1
            return sequence
        }
    }
}
