// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Runs a walk through the very engine that runs live, as fast as it can.
struct Replay {
    private var engine: BridgeEngine
    private var effects = EffectBuffer()
    private let identifier: String
    private let sources: SourceMapping
    private let explains: Bool
    private var events: [ZoneEvent] = []
    /// Why each of the events last taken fell, in their order, where that was asked for and is known.
    private(set) var explanations: [EventExplanation?] = []
    /// What became of each report, if that is asked for: in one part for each time without a gap in listening.
    private var observed: [[ReportObservation]]?

    /// Prepares an engine of its own; nothing carries over from one walk to the next.
    ///
    /// `format` is that of the walk's accessory, whatever the configuration says of it; `sources` are the topics of
    /// those of the options. `explains` asks why each event fell, `isObserving` what became of each report.
    init(
        options: EngineOptions,
        name: String,
        format: RangeFormat = .auto,
        sources: SourceMapping = SourceMapping(),
        explains: Bool = false,
        isObserving: Bool = false
    ) {
        self.sources = sources
        self.explains = explains
        // Seeded: a replay gives the same output every time.
        var generator = SplitMix64(seed: 1)
        // A recording joins whatever the configuration says of strangers.
        var options = options
        options.join = .open
        // Nor was its handshake recorded.
        options.session.isRequired = false
        options.openToEverybody()
        identifier = Self.identifier(from: name)
        if format != .auto { options.accessories[identifier, default: AccessoryOptions()].format = format }
        engine = BridgeEngine(options: options, using: &generator)
        if explains { engine.explainEverything() }
        guard isObserving else { return }
        engine.observeReports()
        observed = []
    }

    /// What became of each report so far: one part for each time without a gap in listening, none of them empty.
    mutating func takeObservations() -> [[ReportObservation]] {
        noteGap()
        defer { observed = observed.map { _ in [] } }
        return observed ?? []
    }

    private mutating func noteGap() {
        guard observed != nil else { return }
        let part = engine.takeObservations()
        if !part.isEmpty { observed?.append(part) }
    }

    /// The events of a walk, each with the recording's own time.
    mutating func events(of walk: Walk) -> [ZoneEvent] {
        guard let first = walk.samples.first else { return [] }
        engine.handle(.subscribed, at: Self.instant(first.time), into: &effects)
        let bytes = Array(identifier.utf8)
        var json = JSONWriter()
        for sample in walk.samples {
            let now = Self.instant(sample.time)
            guard let accessory = engine.accessory(bytes.span, at: now, into: &effects) else { break }
            json.removeAll()
            json.beginObject()
            json.pair("distance", sample.measured, decimals: 6)
            json.endObject()
            engine.handleReport(json.bytes.span, from: accessory, at: now, into: &effects)
            if explains { takeEffects() }
        }
        return takeEvents()
    }

    /// The events of a recording, each with the recording's own time.
    mutating func events(of recording: Recording) -> [ZoneEvent] {
        var isListening = false
        for entry in recording.entries {
            let now = Self.instant(entry.time)
            switch entry.kind {
            case .subscribed:
                engine.handle(.subscribed, at: now, into: &effects)
                isListening = true
            case .disconnected:
                engine.handle(.disconnected, at: now, into: &effects)
                noteGap()
                isListening = false
            case .ended:
                engine.advance(to: now, into: &effects)
            case .foreign(let payload, let topic, let isRetained):
                if !isListening { engine.handle(.subscribed, at: now, into: &effects) }
                isListening = true
                take(payload, on: Array(topic.utf8), isRetained: isRetained, at: now)
            case .report(let payload, let name):
                // A file put together by hand has no marks.
                if !isListening { engine.handle(.subscribed, at: now, into: &effects) }
                isListening = true
                let bytes = Array(name.utf8)
                guard let accessory = engine.accessory(bytes.span, at: now, into: &effects) else { continue }
                engine.handleReport(payload.span, from: accessory, at: now, into: &effects)
            }
            if explains { takeEffects() }
        }
        return takeEvents()
    }

    /// Takes a message on somebody else's topic, if the configuration knows it.
    private mutating func take(_ payload: [UInt8], on topic: [UInt8], isRetained: Bool, at now: Instant) {
        guard let feed = sources.feed(topic.span, at: now, in: &engine, into: &effects) else { return }
        engine.handleReport(payload.span, from: feed, isRetained: isRetained, at: now, into: &effects)
    }

    /// The events of what a device printed or sent, each with the log's own time.
    mutating func events(of log: VendorLog) -> [ZoneEvent] {
        guard let first = log.entries.first else { return [] }
        engine.handle(.subscribed, at: Self.instant(first.time), into: &effects)
        let bytes = Array(identifier.utf8)
        for entry in log.entries {
            let now = Self.instant(entry.time)
            guard let accessory = engine.accessory(bytes.span, at: now, into: &effects) else { break }
            engine.handleReport(entry.payload.span, from: accessory, at: now, into: &effects)
            if explains { takeEffects() }
        }
        return takeEvents()
    }

    private mutating func takeEvents() -> [ZoneEvent] {
        takeEffects()
        defer { events = [] }
        return events
    }

    /// Takes the events so far; what decided them is known best right after they fell.
    private mutating func takeEffects() {
        // Those of the walk before.
        if events.isEmpty { explanations = [] }
        for case .event(let event) in effects.effects {
            events.append(event)
            explanations.append(explains ? engine.explanation(of: event) : nil)
        }
        effects.removeAll()
    }

    /// The recording's own time as the engine's.
    static func instant(_ seconds: Double) -> Instant {
        Instant(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    /// The engine's time as the recording's own.
    static func seconds(_ instant: Instant) -> Double {
        Double(instant.nanoseconds) * 1e-9
    }

    /// A file's name as an accessory's identifier: what may not stand in one becomes a hyphen.
    private static func identifier(from name: String) -> String {
        let allowed = name.utf8.prefix(64).map { byte -> UInt8 in
            let single = [byte]
            return AccessoryIdentifier.isValid(single.span) ? byte : UInt8(ascii: "-")
        }
        return allowed.isEmpty ? "walk" : String(decoding: allowed, as: UTF8.self)
    }
}

extension EngineOptions {
    /// Lets everybody range, whatever was said of permission.
    fileprivate mutating func openToEverybody() {
        session.authorization = .open
        for accessory in accessories.keys {
            accessories[accessory]?.authorization = nil
            for peer in accessories[accessory].map({ Array($0.peers.keys) }) ?? [] {
                accessories[accessory]?.peers[peer]?.authorization = nil
            }
        }
    }
}
