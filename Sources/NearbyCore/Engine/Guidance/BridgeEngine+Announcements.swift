// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What accessories say of themselves beside their configuration data.
extension BridgeEngine {
    /// What an accessory has said of itself.
    public func announcement(of accessory: AccessoryIndex) -> AccessoryAnnouncement {
        accessories[accessory.rawValue].announced
    }

    /// What people call an accessory: by the configuration, or else as it calls itself; `nil` where nobody says.
    public func displayName(of accessory: AccessoryIndex) -> String? {
        accessories[accessory.rawValue].options.name ?? accessories[accessory.rawValue].announced.name
    }

    /// Whether sessions of an accessory begin with an exchange of configuration data.
    public func exchangesConfiguration(_ accessory: AccessoryIndex) -> Bool {
        let accessory = accessories[accessory.rawValue]
        return (accessory.options.technology ?? accessory.announced.technology) != .downlinkTDoA
    }

    /// Takes what a payload of `…/config` says of the accessory.
    ///
    /// JSON says all there is to say. Bytes and text say only that there is configuration data, so that the technology
    /// is one that has some.
    mutating func announce(_ payload: ConfigurationPayload, of accessory: Int, into effects: inout EffectBuffer) {
        guard payload.isJSON else { return announceData(of: accessory, into: &effects) }
        announce(AccessoryAnnouncement(payload), of: accessory, into: &effects)
    }

    /// Configuration data came with nothing around it.
    mutating func announceData(of accessory: Int, into effects: inout EffectBuffer) {
        guard accessories[accessory].announced.technology == .downlinkTDoA else { return }
        var announced = accessories[accessory].announced
        (announced.technology, announced.networkIdentifier) = (nil, nil)
        announce(announced, of: accessory, into: &effects)
    }

    private mutating func announce(
        _ announced: AccessoryAnnouncement,
        of accessory: Int,
        into effects: inout EffectBuffer
    ) {
        guard announced != accessories[accessory].announced else { return }
        accessories[accessory].announced = announced
        accessories[accessory].hasSession = true
        if !exchangesConfiguration(AccessoryIndex(accessory)) {
            // What was begun with an exchange cannot go on.
            for owner in sessionOwners(of: accessory) where session(of: owner)?.isRunning == true {
                handle(.stop, of: owner, into: &effects)
            }
        }
        for stream in streams(of: AccessoryIndex(accessory)) {
            effects.append(.session(stream))
            effects.append(.state(stream, isChange: true))
        }
    }
}
