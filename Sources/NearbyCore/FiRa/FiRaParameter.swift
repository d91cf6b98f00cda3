// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// An application configuration parameter of a FiRa session, as UCI numbers them.
///
/// Those that a session of Nearby Interaction needs (`reference/nearby-interaction.md` section 7), in the order of their
/// numbers, which is the order in which they are written.
public enum FiRaParameter: UInt8, Sendable, CaseIterable {
    /// 0 controlee, 1 controller.
    case deviceType = 0x00
    /// 2 is deferred double-sided two-way ranging.
    case rangingRoundUsage = 0x01
    /// 0 is a static scrambled timestamp sequence.
    case stsConfig = 0x02
    /// 0 is one controlee.
    case multiNodeMode = 0x03
    /// The UWB channel.
    case channelNumber = 0x04
    /// How many controlees there are.
    case numberOfControlees = 0x05
    /// The radio's own short address.
    case deviceMACAddress = 0x06
    /// The other end's short address.
    case destinationMACAddress = 0x07
    /// RSTU, of which 1,200 are a millisecond.
    case slotDuration = 0x08
    /// Milliseconds from one round to the next.
    case rangingDuration = 0x09
    /// Which messages a round has, by bits.
    case rangingRoundControl = 0x0C
    /// 0 responder, 1 initiator.
    case deviceRole = 0x11
    /// 3 is a frame without data, for the time alone.
    case frameConfig = 0x12
    /// The preamble code index.
    case preambleCodeIndex = 0x14
    /// 1 is rounds in blocks.
    case rangingTimeStructure = 0x1A
    /// Slots in a ranging round.
    case slotsPerRound = 0x1B
    /// 1 is time-scheduled.
    case scheduledMode = 0x22
    /// 0 is short addresses.
    case macAddressMode = 0x26
    /// The last two of the eight bytes from which the scrambled timestamp sequence is made.
    case vendorID = 0x27
    /// The first six of them: the secret.
    case staticSTSIV = 0x28
    /// 0 off, 1 on.
    case hoppingMode = 0x2C

    /// What UCI calls it.
    public var name: String {
        switch self {
        case .deviceType: "DEVICE_TYPE"
        case .rangingRoundUsage: "RANGING_ROUND_USAGE"
        case .stsConfig: "STS_CONFIG"
        case .multiNodeMode: "MULTI_NODE_MODE"
        case .channelNumber: "CHANNEL_NUMBER"
        case .numberOfControlees: "NO_OF_CONTROLEES"
        case .deviceMACAddress: "DEVICE_MAC_ADDRESS"
        case .destinationMACAddress: "DST_MAC_ADDRESS"
        case .slotDuration: "SLOT_DURATION"
        case .rangingDuration: "RANGING_DURATION"
        case .rangingRoundControl: "RANGING_ROUND_CONTROL"
        case .deviceRole: "DEVICE_ROLE"
        case .frameConfig: "RFRAME_CONFIG"
        case .preambleCodeIndex: "PREAMBLE_CODE_INDEX"
        case .rangingTimeStructure: "RANGING_TIME_STRUCT"
        case .slotsPerRound: "SLOTS_PER_RR"
        case .scheduledMode: "SCHEDULED_MODE"
        case .macAddressMode: "MAC_ADDRESS_MODE"
        case .vendorID: "VENDOR_ID"
        case .staticSTSIV: "STATIC_STS_IV"
        case .hoppingMode: "HOPPING_MODE"
        }
    }

    /// How many bytes its value has.
    public var length: Int {
        switch self {
        case .deviceMACAddress, .destinationMACAddress, .slotDuration, .vendorID: 2
        case .rangingDuration: 4
        case .staticSTSIV: STSInitializationVector.length
        case .deviceType, .rangingRoundUsage, .stsConfig, .multiNodeMode, .channelNumber, .numberOfControlees,
            .rangingRoundControl, .deviceRole, .frameConfig, .preambleCodeIndex, .rangingTimeStructure,
            .slotsPerRound, .scheduledMode, .macAddressMode, .hoppingMode:
            1
        }
    }

    /// The value that every session of Nearby Interaction has; `nil` where each has its own.
    public var implied: UInt16? {
        switch self {
        case .rangingRoundUsage: 2
        case .stsConfig, .multiNodeMode, .macAddressMode: 0
        case .numberOfControlees, .rangingTimeStructure, .scheduledMode: 1
        case .frameConfig: 3
        case .vendorID: FiRaSession.vendorID
        case .deviceType, .channelNumber, .deviceMACAddress, .destinationMACAddress, .slotDuration, .rangingDuration,
            .rangingRoundControl, .deviceRole, .preambleCodeIndex, .slotsPerRound, .staticSTSIV, .hoppingMode:
            nil
        }
    }
}
