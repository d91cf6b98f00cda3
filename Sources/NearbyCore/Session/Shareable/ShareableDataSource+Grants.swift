// nearby-bridge · SPDX-License-Identifier: Apache-2.0

// What is decided about a run's rounds, in one place. What is configured holds for every accessory; else an accessory of
// version 2.0 gets what it asks for where that can be; else it is what real phones choose.

extension ShareableDataSource {
    /// What was made for a run, and what became of the accessory's requests.
    struct Minted {
        /// What the accessory is sent.
        var data: ShareableConfigurationData
        /// `nil` for an accessory that cannot ask for anything.
        var grants: RangingGrants?
    }

    /// The rounds of a run.
    struct Decision {
        /// Slots, their length, and the interval.
        var timing: RoundTiming
        /// 0 off, 1 on.
        var hoppingMode: UInt8
        /// `nil` for an accessory that cannot ask for anything.
        var grants: RangingGrants?
    }

    /// A value, and why it would not be the one that was asked for.
    private typealias Choice<Value> = (value: Value, reason: RangingGrants.Reason?)

    /// What would become of the requests of an accessory; `nil` if it cannot make any, or cannot be answered.
    public func grants(
        for accessory: AccessoryConfigurationData,
        using generator: inout some RandomNumberGenerator
    ) -> RangingGrants? {
        guard let uwb = accessory.uwb, uwb.role.isTwoWay else { return nil }
        return decide(for: accessory, uwb.requests, using: &generator).grants
    }

    /// Decides about the rounds of an accessory's run.
    func decide(
        for accessory: AccessoryConfigurationData,
        _ requests: RangingRequests?,
        using generator: inout some RandomNumberGenerator
    ) -> Decision {
        let slots = slots(requests?.slotsPerRound)
        let slot = slotDuration(requests?.slotDuration)
        let hopping = hopping(requests?.hoppingMode)
        // Slots are whole milliseconds, so rounds are too.
        let round = Int(slots.value) * (Int(slot.value) / RoundTiming.rstuPerMillisecond)
        let wanted = interval(requests?.interval, round: round, accessory.preferredUpdateRate, using: &generator)
        // The next whole number of rounds, or the last that the field can hold.
        let rounds = min((wanted.value + round - 1) / round, Int(UInt16.max) / round)
        let interval = UInt16(rounds * round)
        return Decision(
            timing: RoundTiming(slotsPerRound: slots.value, slotDuration: slot.value, interval: interval),
            hoppingMode: hopping.value,
            grants: requests.map { requests in
                RangingGrants(
                    hopping: .init(requests.hoppingMode, hopping.value, hopping.reason),
                    interval: .init(requests.interval, interval, wanted.reason),
                    slotDuration: .init(requests.slotDuration, slot.value, slot.reason),
                    slots: .init(requests.slotsPerRound, slots.value, slots.reason)
                )
            }
        )
    }

    /// A slot count must fit the radio's one byte; deferred ranging needs six.
    private func slots(_ request: UInt16?) -> Choice<UInt16> {
        if let configured = slotsPerRound, configured >= 6 { return (UInt16(configured), .configured) }
        guard let request, 6...255 ~= request else { return (Self.standardSlots, .slotsOutOfRange) }
        return (request, nil)
    }

    private func slotDuration(_ request: UInt16?) -> Choice<UInt16> {
        if let configured = slotDuration, Self.isPossible(configured) { return (configured, .configured) }
        guard let request, Self.isPossible(request) else { return (Self.standardSlotDuration, .slotDurationOutOfRange) }
        return (request, nil)
    }

    private static func isPossible(_ slot: UInt16) -> Bool {
        slot >= shortestSlot && Int(slot) % RoundTiming.rstuPerMillisecond == 0
    }

    private func hopping(_ request: UInt8?) -> Choice<UInt8> {
        if let isHopping { return (isHopping ? 1 : 0, .configured) }
        guard let request, request <= 1 else { return (0, .unknownHoppingMode) }
        return (request, nil)
    }

    /// Milliseconds that are wanted, whole rounds or not.
    private func interval(
        _ request: UInt16?,
        round: Int,
        _ rate: UpdateRate,
        using generator: inout some RandomNumberGenerator
    ) -> Choice<Int> {
        if let configured = interval, configured > 0 { return (Int(configured), .configured) }
        if let request, Int(request) >= round { return (Int(request), .wholeRounds) }
        if rate.effective == .infrequent { return (Self.infrequentMilliseconds, .belowRound) }
        return (Self.fastRound * Int.random(in: Self.fastRounds, using: &generator), .belowRound)
    }
}
