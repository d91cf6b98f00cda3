// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// What the bridge mints: `reference/nearby-interaction.md` section 3.
@Suite struct ShareableDataSourceTests {
    private let source = ShareableDataSource()

    private func accessory(
        _ layout: ConfigurationLayout,
        _ rate: UpdateRate,
        address: UInt16 = 0xD711,
        role: UInt8 = 1,
        _ requests: RangingRequests = RangingRequests()
    ) -> AccessoryConfigurationData {
        let uwb = UWBConfigurationData(
            layout: layout,
            role: RangingRole(rawValue: role),
            sourceAddress: ShortAddress(address),
            requests: requests
        )
        return AccessoryConfigurationData(preferredUpdateRate: rate, uwb)
    }

    /// A value of any kind, the likely and the impossible ones often.
    private func value(_ likely: [UInt16], _ random: inout SeededGenerator) -> UInt16 {
        let any = UInt16.random(in: 0...UInt16.max, using: &random)
        return Bool.random(using: &random) ? likely.randomElement(using: &random) ?? any : any
    }

    private func requests(_ random: inout SeededGenerator) -> RangingRequests {
        RangingRequests(
            hoppingMode: UInt8.random(in: 0...2, using: &random),
            slotsPerRound: value([0, 1, 5, 6, 25, 255, 256], &random),
            slotDuration: value([0, 1200, 2400, 2401, 3600, 64800, 65535], &random),
            interval: value([0, 1, 12, 180, 200, 240, 770, 65535], &random)
        )
    }

    // MARK: Rounds and interval

    @Test(arguments: ConfigurationLayout.allCases, [0, 10, 20, 7] as [UInt8])
    func `The interval is a whole number of rounds near the preferred rate`(
        _ layout: ConfigurationLayout,
        _ rate: UInt8
    ) throws {
        // What version 2.0 asks for is out of the question here, so that the rate decides.
        let refused = RangingRequests(slotsPerRound: 1, slotDuration: 1, interval: 0)
        let accessory = accessory(layout, UpdateRate(rawValue: rate), refused)
        var intervals: Set<UInt16> = []
        for seed in UInt64(1)...200 {
            var random = SeededGenerator(seed: seed)
            let data = try #require(source.mint(for: accessory, using: &random))
            let timing = try #require(data.parameters?.timing)
            #expect(timing.slotsPerRound == 6 && timing.slotDuration == 3600 && timing.roundsPerInterval != nil)
            #expect(data.warnings.isEmpty)
            intervals.insert(timing.interval)
        }
        // Spread like those of phones, so that sessions do not march in step.
        #expect(intervals == (rate == 10 ? [774] : [162, 180, 198]))
    }

    @Test func `What version 2 0 asks for is granted or refused field by field`() throws {
        for seed in UInt64(1)...10_000 {
            var random = SeededGenerator(seed: seed)
            let requests = requests(&random)
            let rate = [UpdateRate.automatic, .infrequent, .userInteractive].randomElement(using: &random)
            let accessory = accessory(.v20, rate ?? .automatic, requests)
            let data = try #require(source.mint(for: accessory, using: &random))
            let parameters = try #require(data.parameters)
            let timing = parameters.timing
            #expect(data.warnings.isEmpty, "seed \(seed): \(data.warnings)")
            let areSlotsGranted = 6...255 ~= requests.slotsPerRound
            #expect(timing.slotsPerRound == (areSlotsGranted ? requests.slotsPerRound : 6), "seed \(seed)")
            let isSlotGranted = requests.slotDuration >= 2400 && requests.slotDuration % 1200 == 0
            #expect(timing.slotDuration == (isSlotGranted ? requests.slotDuration : 3600), "seed \(seed)")
            #expect(parameters.hoppingMode == (requests.hoppingMode == 1 ? 1 : 0), "seed \(seed)")
            // An interval is granted if a round fits into it, else the rate decides; always in whole rounds.
            let round = Int(timing.slotsPerRound) * Int(timing.slotDuration) / 1200
            let interval = Int(timing.interval)
            let wanted =
                Int(requests.interval) >= round
                ? Int(requests.interval)...Int(requests.interval)
                : (rate == .infrequent ? 770...770 : 162...198)
            let next = wanted.lowerBound..<(wanted.upperBound + round)
            let isLast = interval + round > Int(UInt16.max)
            #expect(next.contains(interval) || isLast && interval < wanted.upperBound, "seed \(seed)")
        }
    }

    @Test func `What is asked for and possible is granted as it is`() throws {
        let requests = RangingRequests(hoppingMode: 1, slotsPerRound: 6, slotDuration: 2400, interval: 240)
        var random = SeededGenerator(seed: 1)
        let data = try #require(source.mint(for: accessory(.v20, .infrequent, requests), using: &random))
        let parameters = try #require(data.parameters)
        #expect(parameters.timing == RoundTiming(slotsPerRound: 6, slotDuration: 2400, interval: 240))
        #expect(parameters.hoppingMode == 1)
    }

    @Test(arguments: [(255, 64800, 65535), (255, 64800, 0), (200, 48000, 60001)] as [(UInt16, UInt16, UInt16)])
    func `The longest rounds still fit into the interval`(_ slots: UInt16, _ slot: UInt16, _ interval: UInt16) throws {
        let requests = RangingRequests(slotsPerRound: slots, slotDuration: slot, interval: interval)
        var random = SeededGenerator(seed: 1)
        let data = try #require(source.mint(for: accessory(.v20, .userInteractive, requests), using: &random))
        let timing = try #require(data.parameters?.timing)
        #expect(timing.slotsPerRound == slots && timing.slotDuration == slot)
        #expect(timing.roundsPerInterval != nil && timing.interval > 0)
        // Without a usable request the interval is as near to the rate as one round allows.
        if interval == 0 { #expect(timing.roundsPerInterval == 1) }
    }

    // MARK: The other fields

    @Test(arguments: ConfigurationLayout.allCases)
    func `The answer is in the accessory's version and reads back as it was`(_ layout: ConfigurationLayout) throws {
        for seed in UInt64(1)...300 {
            var random = SeededGenerator(seed: seed)
            let accessory = accessory(layout, .automatic, requests(&random))
            let data = try #require(source.mint(for: accessory, using: &random))
            #expect(data.version == accessory.version && data.layout == layout)
            #expect(data.encoded.count == 5 + layout.shareableLength)
            #expect(try ShareableConfigurationData.decode(data.encoded.span) == data)
        }
    }

    @Test func `Country, channel and preamble are the options'`() throws {
        var source = ShareableDataSource()
        #expect(source.country.text == "EU" && source.channel == 9 && source.preamble == 11)
        source.country = RangingParameters.Country(0x55, 0x53)
        source.channel = 5
        source.preamble = 10
        var random = SeededGenerator(seed: 1)
        let parameters = try #require(source.mint(for: accessory(.v11, .automatic), using: &random)?.parameters)
        #expect(parameters.country.text == "US" && parameters.channel == 5 && parameters.preamble == 10)
        #expect(parameters.roundControl == 3)
    }

    @Test(arguments: [0, 0xD711, 0xFFFD, 0xFFFF] as [UInt16])
    func `Session, key and address are new every time`(_ address: UInt16) throws {
        var random = SeededGenerator(seed: 1)
        let accessory = accessory(.v11, .automatic, address: address)
        let minted = try (0..<2000).map { _ in
            try #require(source.mint(for: accessory, using: &random)?.parameters)
        }
        #expect(Set(minted.map(\.stsIV)).count == minted.count)
        #expect(Set(minted.map(\.sessionID)).count == minted.count)
        #expect(minted.allSatisfy { $0.sessionID != 0 && $0.stsIV.bytes != [0, 0, 0, 0, 0, 0] })
        let addresses = minted.map(\.destinationAddress)
        #expect(addresses.allSatisfy { $0.value != address && $0.value != 0 && !$0.isReserved })
        #expect(Set(addresses).count > 1900)
    }

    /// A generator that gives what it is told to, then counts.
    private struct Scripted: RandomNumberGenerator {
        var numbers: [UInt64]
        var count: UInt64 = 0x1234_5678_9ABC_DEF0

        mutating func next() -> UInt64 {
            guard numbers.isEmpty else { return numbers.removeFirst() }
            count &+= 0x0F0F_1111_0101_0101
            return count
        }
    }

    @Test func `An address that is the accessory's is drawn again`() throws {
        // Whatever the first number makes of the address, an accessory that has just this one is avoided.
        var first = Scripted(numbers: [0x4242_4242_4242_4242])
        let drawn = try #require(source.mint(for: accessory(.v11, .automatic), using: &first)?.parameters)
        var second = Scripted(numbers: [0x4242_4242_4242_4242])
        let same = accessory(.v11, .automatic, address: drawn.destinationAddress.value)
        let redrawn = try #require(source.mint(for: same, using: &second)?.parameters)
        #expect(redrawn.destinationAddress != drawn.destinationAddress)
    }

    @Test func `An accessory that cannot be answered gets nothing`() throws {
        var random = SeededGenerator(seed: 1)
        let unknown = try #require(SessionScenario.unknownVersion)
        #expect(source.mint(for: unknown, using: &random) == nil)
        for role in [2, 5, 6, 7, 8, 255] as [UInt8] {
            #expect(source.mint(for: accessory(.v20, .automatic, role: role), using: &random) == nil)
        }
        for role in [0, 1] as [UInt8] {
            #expect(source.mint(for: accessory(.v20, .automatic, role: role), using: &random) != nil)
        }
    }

    // MARK: The secret

    /// All texts that a value can turn into.
    private func texts(_ value: some Any) -> String {
        var text = "\(value) " + String(reflecting: value) + " "
        Swift.dump(value, to: &text)
        return text.lowercased()
    }

    @Test(arguments: ConfigurationLayout.allCases)
    func `The key shows in no description`(_ layout: ConfigurationLayout) throws {
        var scenario = SessionScenario()
        let data = accessory(layout, .automatic)
        scenario.send(.configuration(data, isRetained: false), .range)
        let minted = try #require(scenario.shareable.first)
        let key = try #require(minted.parameters?.stsIV.bytes)
        let number = key.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let reversed = key.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let forms = [
            Hexadecimal.text(key.span), "\(key)".dropFirst().dropLast().description, "\(number)", "\(reversed)",
            AccessoryFixtures.base64(key).lowercased(), key.map { "- \($0)" }.joined(separator: "\n"),
            key.map { Hexadecimal.text($0, digits: 2) }.joined(separator: " "), String(number, radix: 16),
        ]
        let shown = [texts(minted), texts(scenario.outputs), texts(scenario.session), texts(minted.parameters as Any)]
        // The address is in all of them that have one: the texts do show what is no secret.
        let address = try #require(minted.parameters?.destinationAddress.description.lowercased())
        #expect(shown.allSatisfy { $0.contains(address) })
        for text in shown {
            for form in forms { #expect(!text.contains(form)) }
        }
    }
}
