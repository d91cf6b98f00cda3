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
    static let slotsPerRound: UInt16 = 6
    /// 3 ms.
    static let slotDuration: UInt16 = 3600
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

    /// The id of the next session, by which the engine keeps live sessions apart; `nil` draws one.
    var nextSessionID: UInt32?

    /// Creates the defaults of CONTRACT section 7.
    public init() {}

    /// Makes shareable configuration data in the version that the accessory speaks.
    ///
    /// - Returns: `nil` for an accessory whose inner version nobody knows, or whose role is no two-way ranging.
    public func mint(
        for accessory: AccessoryConfigurationData,
        using generator: inout some RandomNumberGenerator
    ) -> ShareableConfigurationData? {
        guard let uwb = accessory.uwb, uwb.role.isTwoWay else { return nil }
        var address = ShortAddress(UInt16.random(in: 1...0xFFFD, using: &generator))
        while address == uwb.sourceAddress { address = ShortAddress(UInt16.random(in: 1...0xFFFD, using: &generator)) }
        return ShareableConfigurationData(
            layout: uwb.layout,
            RangingParameters(
                country: country,
                sessionID: nextSessionID ?? UInt32.random(in: 1...UInt32.max, using: &generator),
                preamble: preamble,
                channel: channel,
                timing: timing(for: accessory, uwb, using: &generator),
                roundControl: 0x03,
                stsIV: .random(using: &generator),
                destinationAddress: address,
                clockDrift: Self.clockDrift,
                hoppingMode: uwb.requests.map { $0.hoppingMode == 1 ? 1 : 0 } ?? 0
            )
        )
    }

    /// The rounds and the interval: what the accessory requests where it can be granted, field by field.
    private func timing(
        for accessory: AccessoryConfigurationData,
        _ uwb: UWBConfigurationData,
        using generator: inout some RandomNumberGenerator
    ) -> RoundTiming {
        let requests = uwb.requests
        // A slot count must fit the radio's one byte; deferred ranging needs six.
        let slots = requests.map { (6...255).contains($0.slotsPerRound) ? $0.slotsPerRound : Self.slotsPerRound }
        let slot = requests.map { request in
            request.slotDuration >= Self.shortestSlot && request.slotDuration % 1200 == 0
                ? request.slotDuration : Self.slotDuration
        }
        var timing = RoundTiming(
            slotsPerRound: slots ?? Self.slotsPerRound,
            slotDuration: slot ?? Self.slotDuration,
            interval: 0
        )
        // Slots are whole milliseconds, so rounds are too.
        let round = Int(timing.slotsPerRound) * (Int(timing.slotDuration) / RoundTiming.rstuPerMillisecond)
        let wanted: Int
        if let request = requests, Int(request.interval) >= round {
            wanted = Int(request.interval)
        } else if accessory.preferredUpdateRate.effective == .infrequent {
            wanted = Self.infrequentMilliseconds
        } else {
            wanted = Self.fastRound * Int.random(in: Self.fastRounds, using: &generator)
        }
        // The next whole number of rounds, or the last that the field can hold.
        let rounds = min((wanted + round - 1) / round, Int(UInt16.max) / round)
        timing.interval = UInt16(rounds * round)
        return timing
    }
}
