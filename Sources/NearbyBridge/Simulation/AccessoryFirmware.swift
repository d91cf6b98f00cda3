// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The accessory's side of the handshake, as real firmware does it.
///
/// Pure: times and a generator in, what it says out. Times are seconds of the simulation. It knows no distances: it says
/// when it measures.
struct AccessoryFirmware: Sendable {
    /// What it says.
    enum Output: Equatable, Sendable {
        /// On `…/availability`, retained.
        case availability(isOnline: Bool)
        /// On `…/config`.
        case configuration([UInt8])
        /// On `…/message`.
        case message([UInt8])
        /// On `…/report`: a measurement of this moment, for the run that the command named if it named one.
        case measurement(at: Double, sequence: Int64, run: Int64?)
    }

    /// One start of ranging.
    private struct Run {
        var number: Int64?
        var interval: Double
    }

    private enum Radio {
        case off
        case starting(Run, until: Double)
        case ranging(Run, since: Double, next: Double)
    }

    /// Seconds from the command to the first round.
    private static let startUp = 0.08
    /// Seconds of a reboot.
    private static let bootTime = 1.5
    /// What fits into a Bluetooth packet of the default size.
    private static let packetLength = 20

    private let options: FirmwareOptions
    /// What it last said about itself; `nil` if the next start must be preceded by an initialize.
    private(set) var configuration: AccessoryConfigurationData?
    private var radio = Radio.off
    private var commands: [(due: Double, command: FirmwareCommand)] = []
    private var bootEnds: Double?
    private var startsToFail: Int
    private var silentFrom: Double?
    private var sequence: Int64 = 0
    /// Runs that came to ranging.
    private(set) var runs = 0

    /// Creates an accessory that is switched off.
    init(_ options: FirmwareOptions) {
        self.options = options
        startsToFail = 0
        for case .noStart(let count) in options.faults { startsToFail += count }
    }

    /// Whether it ranges.
    var isRanging: Bool {
        if case .ranging = radio { return true }
        return false
    }

    /// When `advance` wants to be called next.
    var nextDeadline: Double? {
        if let bootEnds { return bootEnds }
        var next = commands.first?.due
        func consider(_ time: Double?) {
            if let time { next = next.map { min($0, time) } ?? time }
        }
        switch radio {
        case .off: break
        case .starting(_, let until): consider(until)
        case .ranging(_, let since, let due):
            consider(due)
            consider(delay(of: Self.stopDelay).map { since + $0 })
            consider(delay(of: Self.rebootDelay).map { since + $0 })
        }
        return next
    }

    // MARK: Inputs

    /// Switches it on: it says that it is there, and what it is.
    mutating func boot(at now: Double, using generator: inout some RandomNumberGenerator) -> [Output] {
        bootEnds = nil
        commands = []
        radio = .off
        silentFrom = nil
        sequence = 0
        return [.availability(isOnline: true), describe(isAnswer: false, using: &generator)]
    }

    /// Takes a payload of `…/command`.
    mutating func receive(
        _ payload: [UInt8],
        at now: Double,
        using generator: inout some RandomNumberGenerator
    ) -> [Output] {
        guard bootEnds == nil, let command = FirmwareCommand(payload) else { return [] }
        commands.append((now + (delay(of: Self.slowness) ?? 0), command))
        return advance(to: now, using: &generator)
    }

    /// Does what is due by now, in the order of the times at which it was due.
    mutating func advance(to now: Double, using generator: inout some RandomNumberGenerator) -> [Output] {
        var outputs: [Output] = []
        while let due = nextDeadline, due <= now { step(at: due, using: &generator, into: &outputs) }
        return outputs
    }

    // MARK: Steps

    private mutating func step(
        at now: Double,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [Output]
    ) {
        if bootEnds != nil { return outputs += boot(at: now, using: &generator) }
        if let first = commands.first, first.due <= now {
            commands.removeFirst()
            return obey(first.command, at: now, using: &generator, into: &outputs)
        }
        switch radio {
        case .off: break
        case .starting(let run, _):
            radio = .ranging(run, since: now, next: now + run.interval)
            runs += 1
            if silentFrom == nil { silentFrom = delay(of: Self.silenceDelay).map { now + $0 } }
            if options.announcement == .afterRanging {
                outputs.append(.message(AccessoryMessage(.accessoryDidStart).encoded))
            }
        case .ranging(let run, let since, let next):
            if let delay = delay(of: Self.rebootDelay), since + delay <= now {
                radio = .off
                configuration = nil
                bootEnds = now + Self.bootTime
            } else if let delay = delay(of: Self.stopDelay), since + delay <= now {
                stop(into: &outputs)
            } else {
                radio = .ranging(run, since: since, next: next + run.interval)
                guard !isSilent(at: now) else { return }
                outputs.append(.measurement(at: now, sequence: sequence, run: run.number))
                sequence += 1
            }
        }
    }

    private mutating func obey(
        _ command: FirmwareCommand,
        at now: Double,
        using generator: inout some RandomNumberGenerator,
        into outputs: inout [Output]
    ) {
        switch command {
        case .initialize:
            if case .off = radio {} else if !options.answersWhileActive { return }
            radio = .off
            silentFrom = nil
            outputs.append(describe(isAnswer: true, using: &generator))
        case .configureAndStart(let bytes, let number):
            guard let run = run(by: bytes, number) else { return fail(into: &outputs) }
            if options.announcement == .beforeRanging {
                outputs.append(.message(AccessoryMessage(.accessoryDidStart).encoded))
            }
            guard startsToFail == 0 else {
                startsToFail -= 1
                return fail(into: &outputs)
            }
            radio = .starting(run, until: now + Self.startUp)
        case .stop:
            stop(into: &outputs)
        }
    }

    /// Ends the accessory's own session: what comes next must be an initialize.
    private mutating func stop(into outputs: inout [Output]) {
        radio = .off
        configuration = nil
        outputs.append(.message(AccessoryMessage(.accessoryDidStop).encoded))
    }

    /// A start that came to nothing; most firmware keeps it to itself.
    private mutating func fail(into outputs: inout [Output]) {
        radio = .off
        if options.tellsFailure { stop(into: &outputs) }
    }

    /// The run that shareable configuration data asks for, `nil` if it is no good for this accessory.
    private func run(by bytes: [UInt8], _ number: Int64?) -> Run? {
        guard let uwb = configuration?.uwb, let data = try? ShareableConfigurationData.decode(bytes.span),
            data.layout == uwb.layout, data.warnings.isEmpty, let parameters = data.parameters,
            parameters.destinationAddress != uwb.sourceAddress
        else { return nil }
        return Run(number: number, interval: Double(parameters.timing.interval) / 1000)
    }

    /// Says what it is, with a new address.
    private mutating func describe(isAnswer: Bool, using generator: inout some RandomNumberGenerator) -> Output {
        let address = ShortAddress(UInt16.random(in: 1...0xFFFD, using: &generator))
        guard address != configuration?.uwb?.sourceAddress else {
            return describe(isAnswer: isAnswer, using: &generator)
        }
        let data = AccessoryConfigurationData(
            preferredUpdateRate: options.updateRate,
            UWBConfigurationData(layout: options.layout, role: .initiator, sourceAddress: address)
        )
        configuration = data
        let isCut = options.faults.contains(.mtuCut)
        func cut(_ bytes: [UInt8]) -> [UInt8] { isCut ? Array(bytes.prefix(Self.packetLength)) : bytes }
        switch options.spelling {
        case .binary:
            // An answer goes as it would on Bluetooth, behind its message id.
            guard isAnswer else { return .configuration(cut(data.encoded)) }
            return .message(cut(AccessoryMessage.accessoryConfigurationData(data).encoded))
        case .json:
            var json = JSONWriter()
            json.beginObject()
            json.pair("data", Hexadecimal.text(cut(data.encoded).span))
            json.pair("technology", "uwb")
            json.endObject()
            return .configuration(json.bytes)
        }
    }

    // MARK: Faults

    private func isSilent(at now: Double) -> Bool {
        guard let silentFrom, now >= silentFrom else { return false }
        return delay(of: Self.silenceLength).map { now < silentFrom + $0 } ?? true
    }

    /// The value of the first fault that has one.
    private func delay(of value: (Fault) -> Double?) -> Double? {
        for fault in options.faults { if let value = value(fault) { return value } }
        return nil
    }

    private static func stopDelay(_ fault: Fault) -> Double? {
        if case .stop(let after) = fault { after } else { nil }
    }

    private static func rebootDelay(_ fault: Fault) -> Double? {
        if case .reboot(let after) = fault { after } else { nil }
    }

    private static func slowness(_ fault: Fault) -> Double? {
        if case .slow(let seconds) = fault { seconds } else { nil }
    }

    private static func silenceDelay(_ fault: Fault) -> Double? {
        if case .silence(let after, _) = fault { after } else { nil }
    }

    private static func silenceLength(_ fault: Fault) -> Double? {
        if case .silence(_, let lasting) = fault { lasting } else { nil }
    }
}
