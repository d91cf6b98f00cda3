// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Accessories that take no commands: with Bluetooth Channel Sounding, or run by a phone in the background.
extension BridgeEngine {
    // MARK: What the configuration says

    /// Gives the session of an accessory that has just joined the kind that the configuration says.
    mutating func presetKind(of accessory: Int) {
        let options = accessories[accessory].options
        if options.technology == .channelSounding {
            accessories[accessory].session.kind = .channelSounding
        } else if options.isBackground == true {
            accessories[accessory].session.isBackground = true
        }
    }

    /// Gives the sessions of an accessory the kind that a changed configuration says.
    mutating func reviseKind(of accessory: Int, after old: AccessoryOptions, into effects: inout EffectBuffer) {
        let new = accessories[accessory].options
        guard new.technology != old.technology || new.isBackground != old.isBackground else { return }
        for owner in sessionOwners(of: accessory) {
            if new.technology == .channelSounding {
                handle(.channelSounding(nil, isRetained: true), of: owner, into: &effects)
            } else if new.isBackground == true {
                if session(of: owner)?.kind == .channelSounding { handle(.commanded, of: owner, into: &effects) }
                handle(.paired, of: owner, into: &effects)
            } else if new.technology != nil || new.isBackground == false || old.isBackground == true {
                handle(.commanded, of: owner, into: &effects)
            }
        }
    }

    /// What an earlier life left of a session, as the configuration wants it to be.
    func revised(_ restored: RestoredSession, of accessory: Int) -> RestoredSession {
        guard restored.kind != .peer else { return restored }
        let options = accessories[accessory].options
        var restored = restored
        if let technology = options.technology {
            restored.kind = technology == .channelSounding ? .channelSounding : .uwb
        }
        if let isBackground = options.isBackground { restored.isBackground = isBackground }
        return restored
    }

    // MARK: Bluetooth Channel Sounding

    /// Whether a payload of `…/config` is that of an accessory which needs no exchange.
    func isChannelSounding(_ payload: ConfigurationPayload, of accessory: Int) -> Bool {
        (accessories[accessory].options.technology ?? payload.technology) == .channelSounding
    }

    /// An accessory says that it has Bluetooth Channel Sounding, and what it is called on the air.
    mutating func takeChannelSounding(
        _ identifiers: BluetoothIdentifiers?,
        of accessory: Int,
        isRetained: Bool,
        into effects: inout EffectBuffer
    ) {
        for owner in sessionOwners(of: accessory) {
            handle(.channelSounding(identifiers, isRetained: isRetained), of: owner, into: &effects)
        }
        claimAirNames(of: accessory, into: &effects)
    }

    private mutating func claimAirNames(of accessory: Int, into effects: inout EffectBuffer) {
        guard let identifiers = accessories[accessory].session.identifiers else { return }
        guard !airNames.claim(identifiers, for: accessory) else { return }
        complain(.identifierTaken, about: accessory, into: &effects)
    }

    /// The same after a restart, when nobody is to be told.
    mutating func reclaimAirNames(of accessory: Int) {
        guard let identifiers = accessories[accessory].session.identifiers else { return }
        _ = airNames.claim(identifiers, for: accessory)
    }

    /// The peer that a report calls by an accessory's identifier on the air: that accessory, or nobody in particular if
    /// it is the reporting one itself.
    mutating func track(onAir bytes: Span<UInt8>, of accessory: Int) -> Int?? {
        // Whoever is called so in topics goes before.
        guard identifiers.index(of: bytes, in: 0) == nil, let other = airNames.accessory(of: bytes) else { return nil }
        guard other != accessory else { return .some(unnamedTrack(of: accessory)) }
        return .some(track(named: Array(name(ofAccessory: other).utf8).span, of: accessory))
    }

    // MARK: In the background

    /// An accessory is paired with a phone that runs its session by itself.
    mutating func takePaired(_ accessory: Int, into effects: inout EffectBuffer) {
        guard accessories[accessory].options.isBackground != false else { return }
        for owner in sessionOwners(of: accessory) { handle(.paired, of: owner, into: &effects) }
    }

    /// Configuration data shows that an accessory is run otherwise than by Bluetooth Channel Sounding.
    mutating func noteConfigurable(_ accessory: Int, into effects: inout EffectBuffer) {
        guard accessories[accessory].session.kind == .channelSounding else { return }
        for owner in sessionOwners(of: accessory) { handle(.commanded, of: owner, into: &effects) }
        airNames.release(accessory)
    }

    /// Only the accessory's own session is about its Bluetooth characteristic.
    func announceOffer(of owner: SessionOwner, into effects: inout EffectBuffer) {
        guard case .accessory(let index) = owner else { return }
        effects.append(.characteristic(AccessoryIndex(index)))
    }

    /// What a phone may read from an accessory's Bluetooth characteristic now; `nil` where that is empty.
    public func offeredConfiguration(of accessory: AccessoryIndex) -> AccessoryConfigurationData? {
        accessories[accessory.rawValue].session.offeredConfiguration
    }

    /// Whether an accessory has such a characteristic at all.
    public func isBackground(_ accessory: AccessoryIndex) -> Bool {
        accessories[accessory.rawValue].isLive && accessories[accessory.rawValue].session.isBackground
    }
}
