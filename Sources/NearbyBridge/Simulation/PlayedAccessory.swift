// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// A simulated accessory as it is played: whom it measures, its firmware if it does the handshake, and its faults.
struct PlayedAccessory {
    /// What it publishes.
    enum Publication: Equatable {
        case availability(isOnline: Bool)
        case configuration([UInt8])
        case message([UInt8])
        case report(SimulatedReport)
    }

    /// Whom it measures.
    private var peer: SimulatedAccessory
    private var firmware: AccessoryFirmware?
    private var noise: Noise
    private var distortion: ReportDistortion
    private var generator: SplitMix64
    /// When it is switched on; `nil` once it is.
    private var bootsAt: Double?
    private var hasBegun = false

    /// An accessory that reports only.
    init(_ peer: SimulatedAccessory, faults: [Fault] = [], noise: Noise = Noise([], seed: 0)) {
        self.peer = peer
        self.noise = noise
        distortion = ReportDistortion(faults)
        generator = SplitMix64(seed: 0)
    }

    /// An accessory that does the handshake, and whose peer begins to walk when it first ranges.
    init(
        _ peer: SimulatedAccessory,
        _ options: FirmwareOptions,
        seed: UInt64,
        startingAt start: Double,
        noise: Noise = Noise([], seed: 0)
    ) {
        self.peer = peer
        self.noise = noise
        firmware = AccessoryFirmware(options)
        distortion = ReportDistortion(options.faults)
        generator = SplitMix64(seed: seed)
        bootsAt = start
    }

    /// The accessory's identifier.
    var identifier: String { peer.identifier }
    /// Runs that came to ranging.
    var runs: Int { firmware?.runs ?? 0 }
    /// Whether it does the handshake.
    var doesHandshake: Bool { firmware != nil }

    /// When `advance` wants to be called next.
    var due: Double {
        if let bootsAt { return bootsAt }
        guard let firmware else { return peer.due }
        return firmware.nextDeadline ?? .infinity
    }

    /// Takes a payload of `…/command`.
    mutating func receive(_ payload: [UInt8], at now: Double) -> [Publication] {
        guard bootsAt == nil, firmware != nil else { return [] }
        return publications(firmware?.receive(payload, at: now, using: &generator) ?? [])
    }

    /// Does what is due by now.
    mutating func advance(to now: Double) -> [Publication] {
        guard firmware != nil else {
            var publications: [Publication] = []
            while peer.due <= now { publications += reports(peer.nextReport()) }
            return publications
        }
        if let start = bootsAt, start <= now {
            bootsAt = nil
            return publications(firmware?.boot(at: start, using: &generator) ?? [])
        }
        return publications(firmware?.advance(to: now, using: &generator) ?? [])
    }

    /// What becomes of a report, by its noise and then by its faults.
    private mutating func reports(_ report: SimulatedReport) -> [Publication] {
        var report = report
        switch noise.measure(report.distance ?? 0, at: report.time) {
        case .distance(let distance): report.distance = distance
        case .failed: report.distance = nil
        case .missing: return []
        }
        return distortion.apply(report).map { .report($0) }
    }

    private mutating func publications(_ outputs: [AccessoryFirmware.Output]) -> [Publication] {
        var publications: [Publication] = []
        for output in outputs {
            switch output {
            case .availability(let isOnline): publications.append(.availability(isOnline: isOnline))
            case .configuration(let bytes): publications.append(.configuration(bytes))
            case .message(let bytes): publications.append(.message(bytes))
            case .measurement(let at, let sequence, let run):
                if !hasBegun {
                    hasBegun = true
                    peer.begin(at: at)
                }
                guard var report = peer.nextReport(upTo: at) else { continue }
                report.sequence = sequence
                report.time = at
                report.run = run
                publications += reports(report)
            }
        }
        return publications
    }
}
