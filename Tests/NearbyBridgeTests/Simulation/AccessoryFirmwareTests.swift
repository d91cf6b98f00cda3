// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyBridge
@testable import NearbyCore

struct AccessoryFirmwareTests {
    /// An accessory on the bench, with the commands that a bridge sends.
    private struct Bench {
        var firmware: AccessoryFirmware
        var generator = SeededGenerator(seed: 11)
        let isText: Bool

        init(_ options: FirmwareOptions = FirmwareOptions(), _ faults: [Fault] = []) {
            var options = options
            options.faults = faults
            isText = options.spelling == .json
            firmware = AccessoryFirmware(options)
        }

        mutating func boot() -> [AccessoryFirmware.Output] { firmware.boot(at: 0, using: &generator) }

        mutating func advance(to time: Double) -> [AccessoryFirmware.Output] {
            firmware.advance(to: time, using: &generator)
        }

        mutating func send(
            _ command: SessionOutput.Command,
            run: Int64 = 7,
            at time: Double
        ) -> [AccessoryFirmware.Output] {
            let command = AccessoryCommand(accessory: "a", command: command, run: run, isBinary: !isText)
            return firmware.receive(CommandPayload.bytes(of: command), at: time, using: &generator)
        }

        mutating func start(at time: Double) throws -> [AccessoryFirmware.Output] {
            let data = try shareable()
            return send(.configureAndStart(data), at: time)
        }

        mutating func shareable() throws -> ShareableConfigurationData {
            let known = try #require(firmware.configuration)
            return try #require(ShareableDataSource().mint(for: known, using: &generator))
        }
    }

    private static func measurements(_ outputs: [AccessoryFirmware.Output]) -> [Double] {
        outputs.compactMap { if case .measurement(let at, _, _) = $0 { at } else { nil } }
    }

    private static func others(_ outputs: [AccessoryFirmware.Output]) -> [AccessoryFirmware.Output] {
        outputs.filter { if case .measurement = $0 { false } else { true } }
    }

    private static let didStart = AccessoryFirmware.Output.message([0x02])
    private static let didStop = AccessoryFirmware.Output.message([0x03])

    // MARK: Describing itself

    @Test(arguments: FirmwareOptions.Spelling.allCases, ConfigurationLayout.allCases)
    func `it says that it is there and what it is, in its spelling and version`(
        _ spelling: FirmwareOptions.Spelling,
        _ layout: ConfigurationLayout
    ) throws {
        var options = FirmwareOptions()
        options.spelling = spelling
        options.layout = layout
        var bench = Bench(options)
        let said = bench.boot()
        #expect(said.count == 2)
        #expect(said.first == .availability(isOnline: true))
        guard case .configuration(let bytes) = try #require(said.last) else {
            Issue.record("no configuration")
            return
        }
        let payload = try ConfigurationPayload.decode(bytes.span, as: .accessory)
        #expect(payload.isBinary == (spelling == .binary))
        let bare = try #require(payload.data).bytes
        let data = try AccessoryConfigurationData.decode(bare.span)
        #expect(data == bench.firmware.configuration)
        #expect(data.version == layout.version)
        #expect(data.warnings.isEmpty)
        #expect(bench.firmware.nextDeadline == nil)
    }

    @Test func `every initialize brings another address, and as bytes it is answered with a message`() throws {
        var bench = Bench()
        _ = bench.boot()
        var addresses: Set<UInt16> = [try #require(bench.firmware.configuration?.uwb).sourceAddress.value]
        for _ in 0..<50 {
            let said = bench.send(.initialize, at: 1)
            let data = try #require(bench.firmware.configuration)
            #expect(said == [.message([0x01] + data.encoded)])
            addresses.insert(try #require(data.uwb).sourceAddress.value)
        }
        #expect(addresses.count == 51)
    }

    @Test func `cut configuration data is what the bridge has a hint for`() throws {
        var bench = Bench(FirmwareOptions(), [.mtuCut])
        guard case .configuration(let bytes) = try #require(bench.boot().last) else { return }
        #expect(bytes.count == 20)
        do throws(CodecError) {
            _ = try AccessoryConfigurationData.decode(bytes.span)
            Issue.record("it was taken")
        } catch {
            #expect(error.hint == .cutAtDefaultMTU)
        }
    }

    // MARK: Ranging

    @Test(arguments: FirmwareOptions.Spelling.allCases)
    func `it measures at the interval that it was given, and knows the run only from JSON`(
        _ spelling: FirmwareOptions.Spelling
    ) throws {
        var options = FirmwareOptions()
        options.spelling = spelling
        var bench = Bench(options)
        _ = bench.boot()
        let data = try bench.shareable()
        let interval = Double(try #require(data.parameters).timing.interval) / 1000
        #expect(bench.send(.configureAndStart(data), run: 42, at: 1).isEmpty)
        let outputs = bench.advance(to: 11)
        let times = Self.measurements(outputs)
        #expect(times.count == Int((10 - 0.08) / interval))
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(abs(later - earlier - interval) < 1e-9) }
        var expected: Int64 = 0
        for case .measurement(_, let sequence, let run) in outputs {
            #expect(sequence == expected)
            #expect(run == (spelling == .json ? 42 : nil))
            expected += 1
        }
    }

    @Test(arguments: FirmwareOptions.Announcement.allCases)
    func `it says that it started before or after, or not at all`(
        _ announcement: FirmwareOptions.Announcement
    ) throws {
        var options = FirmwareOptions()
        options.announcement = announcement
        var bench = Bench(options)
        _ = bench.boot()
        let atOnce = try bench.start(at: 1)
        #expect(atOnce == (announcement == .beforeRanging ? [Self.didStart] : []))
        #expect(!bench.firmware.isRanging)
        let later = Self.others(bench.advance(to: 2))
        #expect(later == (announcement == .afterRanging ? [Self.didStart] : []))
        #expect(bench.firmware.isRanging)
    }

    @Test func `it stops when told to, says so, and wants to be initialized before it starts again`() throws {
        var bench = Bench()
        _ = bench.boot()
        let data = try bench.shareable()
        _ = bench.send(.configureAndStart(data), at: 1)
        _ = bench.advance(to: 3)
        #expect(bench.send(.stop, at: 3) == [Self.didStop])
        #expect(bench.firmware.nextDeadline == nil)
        #expect(bench.send(.configureAndStart(data), at: 4).isEmpty)
        #expect(bench.advance(to: 10).isEmpty)
        // Even with nothing to stop there is an answer.
        #expect(bench.send(.stop, at: 11) == [Self.didStop])
        #expect(bench.send(.initialize, at: 12).count == 1)
        _ = try bench.start(at: 13)
        #expect(!Self.measurements(bench.advance(to: 14)).isEmpty)
    }

    @Test(arguments: [true, false])
    func `initialized while it ranges it begins anew, or ranges on without an answer`(_ answers: Bool) throws {
        var options = FirmwareOptions()
        options.answersWhileActive = answers
        var bench = Bench(options)
        _ = bench.boot()
        _ = try bench.start(at: 1)
        _ = bench.advance(to: 3)
        let before = bench.firmware.configuration
        #expect(Self.others(bench.send(.initialize, at: 3)).count == (answers ? 1 : 0))
        #expect((bench.firmware.configuration == before) != answers)
        #expect(bench.firmware.isRanging != answers)
    }

    @Test func `another start while it ranges takes the place of the first`() throws {
        var bench = Bench()
        _ = bench.boot()
        _ = try bench.start(at: 1)
        _ = bench.advance(to: 3)
        #expect(try bench.start(at: 3).allSatisfy { $0 != Self.didStop })
        #expect(!bench.firmware.isRanging)
        #expect(!Self.measurements(bench.advance(to: 5)).isEmpty)
        #expect(bench.firmware.runs == 2)
    }

    @Test(arguments: [true, false])
    func `data that is no good starts nothing, and most firmware does not say so`(_ tells: Bool) throws {
        var options = FirmwareOptions()
        options.tellsFailure = tells
        options.layout = .v20
        let failure = tells ? [Self.didStop] : []
        var bench = Bench(options)
        _ = bench.boot()
        var other = bench
        other.firmware = AccessoryFirmware(FirmwareOptions())
        _ = other.boot()
        let wrongVersion = try other.shareable()
        #expect(bench.send(.configureAndStart(wrongVersion), at: 1) == failure)
        #expect(bench.advance(to: 5).isEmpty)
        _ = bench.send(.initialize, at: 6)
        #expect(bench.firmware.receive([0x0B, 1, 0, 1, 0], at: 7, using: &bench.generator) == failure)
    }

    @Test func `what is no command is passed over`() {
        var bench = Bench()
        _ = bench.boot()
        let payloads: [[UInt8]] = [[], [0x02], [0x20, 1], Array("{".utf8), Array("{\"command\":\"dance\"}".utf8)]
        for payload in payloads {
            #expect(bench.firmware.receive(payload, at: 1, using: &bench.generator).isEmpty)
        }
    }

    // MARK: Faults

    @Test func `the first starts bring no ranging, but the answer of a start that was announced before`() throws {
        var options = FirmwareOptions()
        options.announcement = .beforeRanging
        var bench = Bench(options, [.noStart(2)])
        _ = bench.boot()
        for time in [1.0, 5] {
            #expect(try bench.start(at: time) == [Self.didStart])
            #expect(bench.advance(to: time + 3).isEmpty)
        }
        _ = try bench.start(at: 9)
        #expect(!Self.measurements(bench.advance(to: 12)).isEmpty)
    }

    @Test func `a silence lasts as long as asked, also through another start`() throws {
        var bench = Bench(FirmwareOptions(), [.silence(after: 3, lasting: 8)])
        _ = bench.boot()
        _ = try bench.start(at: 1)
        let first = Self.measurements(bench.advance(to: 10))
        #expect(try #require(first.last) < 4.08)
        #expect(bench.firmware.isRanging)
        _ = try bench.start(at: 10)
        let second = Self.measurements(bench.advance(to: 30))
        #expect(try #require(second.first) >= 12.08)
        #expect(try #require(second.last) > 29.5)
    }

    @Test func `a silence without an end is ended by initialize only`() throws {
        var bench = Bench(FirmwareOptions(), [.silence(after: 3, lasting: nil)])
        _ = bench.boot()
        _ = try bench.start(at: 1)
        _ = bench.advance(to: 10)
        _ = try bench.start(at: 10)
        // The whole handshake goes well, and yet no distances follow.
        #expect(bench.advance(to: 20) == [Self.didStart])
        _ = bench.send(.initialize, at: 20)
        _ = try bench.start(at: 21)
        #expect(!Self.measurements(bench.advance(to: 22)).isEmpty)
    }

    @Test func `it stops by itself and says so`() throws {
        var bench = Bench(FirmwareOptions(), [.stop(after: 4)])
        _ = bench.boot()
        _ = try bench.start(at: 1)
        let outputs = bench.advance(to: 20)
        #expect(outputs.last == Self.didStop)
        #expect(try #require(Self.measurements(outputs).last) <= 5.08)
    }

    @Test func `it reboots, hears nothing meanwhile, and comes back as somebody else`() throws {
        var bench = Bench(FirmwareOptions(), [.reboot(after: 4)])
        _ = bench.boot()
        let before = try #require(bench.firmware.configuration)
        _ = try bench.start(at: 1)
        #expect(Self.others(bench.advance(to: 5.5)) == [Self.didStart])
        #expect(bench.send(.initialize, at: 5.6).isEmpty)
        let outputs = bench.advance(to: 8)
        #expect(outputs.first == .availability(isOnline: true))
        let after = try #require(bench.firmware.configuration)
        #expect(after != before)
        #expect(outputs.last == .configuration(after.encoded))
        #expect(!bench.firmware.isRanging)
    }

    @Test func `a slow one obeys late, in order`() throws {
        var bench = Bench(FirmwareOptions(), [.slow(by: 2)])
        _ = bench.boot()
        let data = try bench.shareable()
        #expect(bench.send(.configureAndStart(data), at: 1).isEmpty)
        #expect(bench.send(.stop, at: 1.5).isEmpty)
        #expect(bench.advance(to: 2.9).isEmpty)
        let outputs = bench.advance(to: 10)
        #expect(outputs.first == Self.didStart)
        #expect(outputs.last == Self.didStop)
    }

    @Test func `a long delay of the caller changes nothing`() throws {
        var patient = Bench(FirmwareOptions(), [.silence(after: 3, lasting: 2), .stop(after: 9)])
        _ = patient.boot()
        _ = try patient.start(at: 1)
        var eager = patient
        var outputs: [AccessoryFirmware.Output] = []
        for step in 0...1500 { outputs += eager.advance(to: Double(step) / 100) }
        #expect(patient.advance(to: 15) == outputs)
    }
}
