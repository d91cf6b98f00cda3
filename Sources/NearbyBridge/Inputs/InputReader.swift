// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// Keeps serial devices and UDP ports open and brings what they say to the engine.
///
/// Driven by the loop, with its poller and its time: no threads, no waiting. What is not there, or goes away, is looked
/// for every second; one line of the log tells that it went, and one that it came. To the engine it is silent meanwhile:
/// peers that only it reports are lost after their `lost_after`, as if they had gone.
struct InputReader {
    /// How long to wait before a device or port is opened again.
    static let retry: Duration = .seconds(1)
    /// No datagram is longer (bytes).
    private static let longest = 65_536

    /// One of the inputs, and what became of it.
    private struct Entry {
        let input: any Input
        let slot: Poller.Slot
        /// What the engine calls it.
        let name: [UInt8]
        let source: Int
        var counters: InputCounters
        var isOpen = false
        /// When it is opened, while it is not.
        var opensAt = Instant(nanoseconds: .min)
        /// What keeps it closed; `nil` while it is open, and at first.
        var trouble: SystemError?
        /// How many times in a row.
        var attempts = 0
    }

    private var entries: [Entry] = []
    private var buffer: [UInt8] = []
    private let log: Log
    /// A bad cable comes and goes many times a minute.
    private var lines = LineBudget()
    private var isActive = false

    /// Prepares inputs, closed; `first` is the place of the first among the sources of the engine.
    init(_ inputs: [InputConfiguration], first: Int, poller: inout Poller, log: Log) {
        self.log = log
        guard !inputs.isEmpty else { return }
        buffer = [UInt8](repeating: 0, count: Self.longest)
        for (place, input) in inputs.enumerated() {
            entries.append(
                Entry(
                    input: Self.input(input),
                    slot: poller.add(),
                    name: Array(input.name.utf8),
                    source: first + place,
                    counters: InputCounters(name: input.name)
                )
            )
        }
    }

    private static func input(_ configuration: InputConfiguration) -> any Input {
        switch configuration.port {
        case .serial(let path, let speed, let lines):
            SerialInput(path, bitsPerSecond: speed, lines: lines, content: LineAssembly.Content(configuration.options))
        case .udp(let host, let port):
            DatagramInput(host: host, port: port)
        }
    }

    /// What became of each input, in their order.
    var counters: [InputCounters] {
        entries.map { entry in
            var counters = entry.counters
            counters.isOpen = entry.isOpen
            return counters
        }
    }

    /// When `work` wants to be called although nothing came.
    var deadline: Instant? {
        guard isActive else { return nil }
        var earliest: Instant?
        for entry in entries {
            guard let due = entry.isOpen ? entry.input.deadline : entry.opensAt else { continue }
            earliest = min(earliest ?? due, due)
        }
        return earliest
    }

    /// Opens what is closed and due, and tells the poller what to wait for.
    ///
    /// `isWanted` is false while another bridge does the work: it gets the devices.
    mutating func prepare(_ poller: inout Poller, isWanted: Bool, _ engine: inout BridgeEngine, at now: Instant) {
        if isActive, !isWanted {
            for place in entries.indices where entries[place].isOpen { close(place, &engine) }
        }
        isActive = isWanted
        for place in entries.indices {
            if isActive, !entries[place].isOpen, entries[place].opensAt <= now { open(place, at: now) }
            poller.set(entries[place].slot, to: entries[place].input.descriptor, for: entries[place].input.interest)
        }
    }

    /// Brings what has come to the engine.
    mutating func work(
        _ poller: borrowing Poller,
        _ engine: inout BridgeEngine,
        into effects: inout EffectBuffer,
        at now: Instant
    ) {
        guard isActive else { return }
        for place in entries.indices where entries[place].isOpen {
            let isDue = entries[place].input.deadline.map { $0 <= now } ?? false
            guard isDue || !poller.readiness(of: entries[place].slot).isEmpty else { continue }
            work(place, &engine, into: &effects, at: now)
        }
    }

    private mutating func work(
        _ place: Int,
        _ engine: inout BridgeEngine,
        into effects: inout EffectBuffer,
        at now: Instant
    ) {
        let feed = feed(of: place, &engine)
        var bytes = 0
        var messages = 0
        do throws(SystemError) {
            defer {
                entries[place].counters.bytes += bytes
                entries[place].counters.messages += messages
            }
            try entries[place].input.work(&buffer, at: now) { payload, kind in
                bytes += payload.count
                messages += 1
                engine.handleReport(payload, from: feed, isRetained: false, at: now, into: &effects)
                if case .whole = kind { engine.forgetUnfinished(of: feed) }
            }
        } catch {
            close(place, &engine)
            entries[place].counters.failures += 1
            entries[place].opensAt = now.advanced(by: Self.retry)
            entries[place].trouble = error
            entries[place].attempts = 1
            tell("\(name(place)) is gone: \(error); it is opened again as soon as it is back", at: now)
        }
    }

    private mutating func open(_ place: Int, at now: Instant) {
        do throws(SystemError) {
            try entries[place].input.open(at: now)
            entries[place].isOpen = true
            entries[place].trouble = nil
            let line = "\(name(place)) is \(entries[place].input.greeting)"
            if lines.spend(at: now) { log.info(line + lines.remark(), .inputs) }
        } catch {
            entries[place].opensAt = now.advanced(by: Self.retry)
            noteTrouble(error, place, at: now)
        }
    }

    /// Tells what keeps an input closed, once.
    private mutating func noteTrouble(_ error: SystemError, _ place: Int, at now: Instant) {
        // That what is gone is not there is no news.
        let isSame = entries[place].trouble.map { $0.code == error.code || (error.isAbsence && $0.isAbsence) } ?? false
        entries[place].attempts = isSame ? entries[place].attempts + 1 : 1
        entries[place].trouble = error
        // Who was plugged in just now is still being set up, and looked at by others.
        guard entries[place].attempts == (error.isRefusal || error.isInUse ? 2 : 1) else { return }
        entries[place].counters.failures += 1
        tell("\(name(place)): \(error); \(error.inputHint). It is tried every second", at: now)
    }

    private mutating func close(_ place: Int, _ engine: inout BridgeEngine) {
        entries[place].input.close()
        entries[place].isOpen = false
        engine.forgetUnfinished(of: feed(of: place, &engine))
    }

    private func feed(of place: Int, _ engine: inout BridgeEngine) -> FeedIndex {
        let name = entries[place].name
        return engine.inputFeed(name.span, source: entries[place].source)
    }

    private func name(_ place: Int) -> String { "input \(entries[place].counters.name)" }

    private mutating func tell(_ line: String, at now: Instant) {
        guard lines.spend(at: now) else { return }
        log.warning(line + lines.remark(), .inputs)
    }
}

extension SystemError {
    /// What to do if an input cannot be opened.
    var inputHint: String {
        if isRefusal {
            return "let this user have it: serial devices belong to the group dialout on most systems "
                + "(usermod -aG dialout USER)"
        }
        if isInUse { return "another program has it: end that one, or choose another" }
        if isNoTerminal { return "this is no serial device: correct serial" }
        if isForeignAddress { return "set host to an address of this machine, or to 0.0.0.0" }
        if isAbsence { return "plug the device in, or correct serial" }
        return "correct its entry of inputs"
    }
}
