// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

@Suite struct ShareableDataSourceGrantsTests {
    private func accessory(
        _ requests: RangingRequests,
        rate: UpdateRate = .userInteractive,
        layout: ConfigurationLayout = .v20
    ) -> AccessoryConfigurationData {
        AccessoryConfigurationData(
            preferredUpdateRate: rate,
            UWBConfigurationData(
                layout: layout,
                role: .initiator,
                sourceAddress: ShortAddress(0xAABB),
                requests: requests
            )
        )
    }

    private func minted(
        _ requests: RangingRequests,
        rate: UpdateRate = .userInteractive,
        _ configure: (inout ShareableDataSource) -> Void = { _ in }
    ) throws -> (parameters: RangingParameters, grants: RangingGrants) {
        var source = ShareableDataSource()
        configure(&source)
        var random = SeededGenerator(seed: 1)
        let minted = try #require(source.minted(for: accessory(requests, rate: rate), using: &random))
        return (try #require(minted.data.parameters), try #require(minted.grants))
    }

    @Test("What can be is granted as it is, without a reason")
    func granted() throws {
        let a5 = try FiRaFixtures.accessory(AccessoryFixtures.a5)
        var random = SeededGenerator(seed: 1)
        let grants = try #require(ShareableDataSource().grants(for: a5, using: &random))
        #expect(RangingGrants.Field.allCases.allSatisfy { grants[$0].reason == nil })
        #expect(grants.interval.requested == 240 && grants.interval.granted == 240)
        #expect(grants.slots.granted == 6 && grants.slotDuration.granted == 2400 && grants.hopping.granted == 1)
    }

    @Test("What cannot be is refused field by field, each with its reason")
    func refused() throws {
        let requests = RangingRequests(hoppingMode: 2, slotsPerRound: 5, slotDuration: 2500, interval: 17)
        let (parameters, grants) = try minted(requests, rate: .infrequent)
        #expect(grants.hopping == .init(2, 0, .unknownHoppingMode))
        #expect(grants.slots == .init(5, 6, .slotsOutOfRange))
        #expect(grants.slotDuration == .init(2500, 3600, .slotDurationOutOfRange))
        #expect(grants.interval == .init(17, 774, .belowRound))
        #expect(parameters.timing == RoundTiming(slotsPerRound: 6, slotDuration: 3600, interval: 774))
    }

    @Test("One refusal is no reason for another")
    func fieldByField() throws {
        let (parameters, grants) = try minted(RangingRequests(slotsPerRound: 256, slotDuration: 4800, interval: 240))
        #expect(grants.slots == .init(256, 6, .slotsOutOfRange))
        #expect(grants.slotDuration.reason == nil && grants.interval.reason == nil)
        #expect(parameters.timing == RoundTiming(slotsPerRound: 6, slotDuration: 4800, interval: 240))
    }

    @Test("An interval becomes a whole number of rounds")
    func rounds() throws {
        let (parameters, grants) = try minted(RangingRequests(slotsPerRound: 6, slotDuration: 3600, interval: 240))
        #expect(grants.interval == .init(240, 252, .wholeRounds))
        #expect(parameters.timing.interval == 252)
        let last = try minted(RangingRequests(slotsPerRound: 6, slotDuration: 3600, interval: .max))
        #expect(last.grants.interval == .init(65_535, 65_520, .wholeRounds))
    }

    @Test("What is configured holds against a request, and what agrees with it needs no reason")
    func configured() throws {
        let requests = RangingRequests(hoppingMode: 1, slotsPerRound: 8, slotDuration: 2400, interval: 240)
        let (parameters, grants) = try minted(requests) { source in
            source.slotsPerRound = 10
            source.slotDuration = 2400
            source.interval = 300
            source.isHopping = false
        }
        #expect(grants.slots == .init(8, 10, .configured))
        #expect(grants.slotDuration.reason == nil)
        #expect(grants.interval == .init(240, 300, .configured))
        #expect(grants.hopping == .init(1, 0, .configured))
        #expect(parameters.timing == RoundTiming(slotsPerRound: 10, slotDuration: 2400, interval: 300))
    }

    @Test("What is configured holds for accessories that cannot ask", arguments: [ConfigurationLayout.v10, .v11])
    func others(_ layout: ConfigurationLayout) throws {
        var source = ShareableDataSource()
        source.slotsPerRound = 255
        source.slotDuration = 64_800
        source.interval = 12
        source.isHopping = true
        var random = SeededGenerator(seed: 1)
        let accessory = accessory(RangingRequests(), layout: layout)
        let minted = try #require(source.minted(for: accessory, using: &random))
        #expect(minted.grants == nil)
        // One round at least.
        let timing = RoundTiming(slotsPerRound: 255, slotDuration: 64_800, interval: 13_770)
        #expect(minted.data.parameters?.timing == timing)
        #expect(minted.data.parameters?.hoppingMode == 0)
    }

    @Test("What cannot be is not taken from the configuration either")
    func nonsense() throws {
        var source = ShareableDataSource()
        source.slotsPerRound = 5
        source.slotDuration = 2401
        source.interval = 0
        var random = SeededGenerator(seed: 1)
        let accessory = accessory(RangingRequests(), rate: .infrequent, layout: .v11)
        let timing = source.mint(for: accessory, using: &random)?.parameters?.timing
        #expect(timing == RoundTiming(slotsPerRound: 6, slotDuration: 3600, interval: 774))
    }

    @Test("An end with an address of its own keeps it, unless it is the accessory's or nobody's")
    func destination() throws {
        func address(_ value: UInt16) throws -> UInt16 {
            try minted(RangingRequests()) { $0.destination = ShortAddress(value) }.parameters.destinationAddress.value
        }
        #expect(try address(1) == 1)
        #expect(try address(0xAABB) != 0xAABB)
        #expect(try address(0xFFFF) != 0xFFFF)
    }

    @Test("Every reason has words of its own")
    func words() {
        let texts = RangingGrants.Reason.allCases.map(\.text)
        #expect(Set(texts).count == texts.count && texts.allSatisfy { !$0.isEmpty })
        #expect(RangingGrants.Field.allCases.map(\.rawValue) == RangingGrants.Field.allCases.map(\.rawValue).sorted())
    }
}
