// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Where a run's shareable configuration data comes from.
///
/// `mint`: the bridge makes it, for an anchor radio that it knows. Every value is fresh: session id, STS initialization
/// vector, address and interval (reference/nearby-interaction.md section 3).
public struct ShareableDataSource: Equatable, Sendable {
    /// Rounds of 18 ms that real phones were seen to choose for the fast rate (reference 0, fact 7).
    static let fastRounds = 9...11
    /// Milliseconds of such a round.
    static let fastRound = 18
    /// Milliseconds of the infrequent rate, about 1.3 Hz (reference 2.1).
    static let infrequentMilliseconds = 770
    /// Slots of 3 ms in a round, as real phones choose them.
    public static let standardSlots: UInt16 = 6
    /// 3 ms, in RSTU.
    public static let standardSlotDuration: UInt16 = 3600
    /// 2 ms, the shortest slot.
    static let shortestSlot: UInt16 = 2400
    /// Parts per million.
    static let clockDrift: UInt16 = 100

    /// Two letters.
    public var country = RangingParameters.Country(0x45, 0x55)
    /// FiRa channel.
    public var channel: UInt8 = 9
    /// FiRa preamble code index.
    public var preamble: UInt8 = 11
    /// Slots in a round, at least 6; `nil` leaves it to the accessory's request, or takes 6.
    public var slotsPerRound: UInt8?
    /// RSTU, a multiple of 1,200 from 2,400; `nil` leaves it to the accessory's request, or takes 3,600.
    public var slotDuration: UInt16?
    /// Milliseconds, rounded up to whole rounds; `nil` leaves it to the accessory's request, or to its update rate.
    public var interval: UInt16?
    /// Hopping between rounds, which only version 2.0 can be told; `nil` leaves it to the accessory's request, or is off.
    public var isHopping: Bool?

    /// The id of the next session, by which the engine keeps live sessions apart; `nil` draws one.
    var nextSessionID: UInt32?
    /// The other end's address, if it has one of its own; `nil`, or that of the accessory itself, draws one.
    var destination: ShortAddress?

    /// Creates the defaults of CONTRACT section 7.
    public init() {}

    /// Makes shareable configuration data in the version that the accessory speaks.
    ///
    /// - Returns: `nil` for an accessory whose inner version nobody knows, or whose role is no two-way ranging.
    public func mint(
        for accessory: AccessoryConfigurationData,
        using generator: inout some RandomNumberGenerator
    ) -> ShareableConfigurationData? {
        minted(for: accessory, using: &generator)?.data
    }

    /// The same, and what became of the accessory's requests.
    func minted(
        for accessory: AccessoryConfigurationData,
        using generator: inout some RandomNumberGenerator
    ) -> Minted? {
        guard let uwb = accessory.uwb, uwb.role.isTwoWay else { return nil }
        var address = ShortAddress(UInt16.random(in: 1...0xFFFD, using: &generator))
        while address == uwb.sourceAddress { address = ShortAddress(UInt16.random(in: 1...0xFFFD, using: &generator)) }
        if let destination, destination != uwb.sourceAddress, !destination.isReserved { address = destination }
        let decision = decide(for: accessory, uwb.requests, using: &generator)
        let data = ShareableConfigurationData(
            layout: uwb.layout,
            RangingParameters(
                country: country,
                sessionID: nextSessionID ?? UInt32.random(in: 1...UInt32.max, using: &generator),
                preamble: preamble,
                channel: channel,
                timing: decision.timing,
                roundControl: 0x03,
                stsIV: .random(using: &generator),
                destinationAddress: address,
                clockDrift: Self.clockDrift,
                hoppingMode: decision.hoppingMode
            )
        )
        return Minted(data: data, grants: decision.grants)
    }
}
