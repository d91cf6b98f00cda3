// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A run as the FiRa radio at the other end of it has to be configured: the complement of what the accessory is told.
///
/// `reference/nearby-interaction.md` section 7. New for every run; no description shows the key material.
public struct FiRaSession: Hashable, Sendable {
    /// Why a radio cannot be configured for a run.
    public enum Refusal: Error, Hashable, Sendable {
        /// More slots in a round than the radio's one byte can be told.
        case slotsPerRound(UInt16)
        /// The accessory takes no part in two-way ranging.
        case role(RangingRole)
        /// One of the two sides' data is of a version that nobody knows.
        case unknownVersion
    }

    /// Apple's Bluetooth company identifier, by which both ends complete the key material.
    ///
    /// Least significant byte first in UCI, as all its integers; the other way round at the end of Qorvo's `-VUPPER`.
    /// Public sources disagree about the order: this is the one in which a board that speaks UCI and one with the
    /// command line ranged with each other (EstebanMenti/i-mop-qorvo-uci-script, `docs/ranging-mixto-cli-uci.md`).
    public static let vendorID: UInt16 = 0x004C

    /// Names the run on the air.
    public var sessionID: UInt32
    /// The part that the radio takes: the one that the accessory does not.
    public var role: RangingRole
    /// The UWB channel.
    public var channel: UInt8
    /// The preamble code index.
    public var preamble: UInt8
    /// Slots in a ranging round.
    public var slotsPerRound: UInt8
    /// RSTU, of which 1,200 are a millisecond.
    public var slotDuration: UInt16
    /// Milliseconds from one round to the next.
    public var interval: UInt32
    /// How rounds are organised.
    public var roundControl: UInt8
    /// The key material.
    public var stsIV: STSInitializationVector
    /// The radio's own address: the destination of the shareable configuration data.
    public var address: ShortAddress
    /// The accessory's address.
    public var peerAddress: ShortAddress
    /// Hopping between rounds: 0 off, 1 on.
    public var hoppingMode: UInt8

    /// Makes what the radio is told of what accessory and bridge have told each other.
    public init(
        oppositeTo accessory: AccessoryConfigurationData,
        _ shareable: ShareableConfigurationData
    ) throws(Refusal) {
        guard let uwb = accessory.uwb, let parameters = shareable.parameters else { throw .unknownVersion }
        guard uwb.role.isTwoWay else { throw .role(uwb.role) }
        guard let slots = UInt8(exactly: parameters.timing.slotsPerRound) else {
            throw .slotsPerRound(parameters.timing.slotsPerRound)
        }
        sessionID = parameters.sessionID
        role = uwb.role == .initiator ? .responder : .initiator
        channel = parameters.channel
        preamble = parameters.preamble
        slotsPerRound = slots
        slotDuration = parameters.timing.slotDuration
        interval = UInt32(parameters.timing.interval)
        roundControl = parameters.roundControl
        stsIV = parameters.stsIV
        address = parameters.destinationAddress
        peerAddress = uwb.sourceAddress
        hoppingMode = parameters.hoppingMode
    }

    /// The value of a parameter as a number; `nil` for the key material, which is none.
    public func number(of parameter: FiRaParameter) -> UInt32? {
        switch parameter {
        case .deviceType, .deviceRole: UInt32(role.rawValue)
        case .channelNumber: UInt32(channel)
        case .deviceMACAddress: UInt32(address.value)
        case .destinationMACAddress: UInt32(peerAddress.value)
        case .slotDuration: UInt32(slotDuration)
        case .rangingDuration: interval
        case .rangingRoundControl: UInt32(roundControl)
        case .preambleCodeIndex: UInt32(preamble)
        case .slotsPerRound: UInt32(slotsPerRound)
        case .hoppingMode: UInt32(hoppingMode)
        case .staticSTSIV: nil
        case .rangingRoundUsage, .stsConfig, .multiNodeMode, .numberOfControlees, .frameConfig, .rangingTimeStructure,
            .scheduledMode, .macAddressMode, .vendorID:
            parameter.implied.map { UInt32($0) }
        }
    }

    /// The bytes of a parameter's value: numbers least significant byte first, the key material as it is.
    func bytes(of parameter: FiRaParameter) -> [UInt8] {
        guard let number = number(of: parameter) else { return stsIV.bytes }
        return (0..<parameter.length).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
    }

    /// Takes a session from the values of its parameters.
    ///
    /// - Throws: Which parameter is missing, or has a value that no session of Nearby Interaction has.
    init(id: UInt32, _ values: [FiRaParameter: SecretBytes]) throws(UCICommandError) {
        func number(_ parameter: FiRaParameter) throws(UCICommandError) -> UInt32 {
            guard let bytes = values[parameter]?.bytes else { throw .missingParameter(parameter) }
            let value = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if let implied = parameter.implied, UInt32(implied) != value { throw .unexpectedValue(parameter) }
            return value
        }
        func narrow<Value: FixedWidthInteger>(_ parameter: FiRaParameter) throws(UCICommandError) -> Value {
            Value(truncatingIfNeeded: try number(parameter))
        }
        for parameter in FiRaParameter.allCases where parameter.implied != nil { _ = try number(parameter) }
        guard let key = values[.staticSTSIV] else { throw .missingParameter(.staticSTSIV) }
        guard let stsIV = STSInitializationVector(key.bytes) else {
            throw .wrongParameterLength(.staticSTSIV, key.bytes.count)
        }
        sessionID = id
        role = RangingRole(rawValue: try narrow(.deviceRole))
        guard try narrow(.deviceType) == role.rawValue else { throw .unexpectedValue(.deviceType) }
        channel = try narrow(.channelNumber)
        preamble = try narrow(.preambleCodeIndex)
        slotsPerRound = try narrow(.slotsPerRound)
        slotDuration = try narrow(.slotDuration)
        interval = try number(.rangingDuration)
        roundControl = try narrow(.rangingRoundControl)
        self.stsIV = stsIV
        address = ShortAddress(try narrow(.deviceMACAddress))
        peerAddress = ShortAddress(try narrow(.destinationMACAddress))
        hoppingMode = try narrow(.hoppingMode)
    }
}
