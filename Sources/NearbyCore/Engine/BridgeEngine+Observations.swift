// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What became of each report, for whoever studies a source.
extension BridgeEngine {
    /// From now on keeps what becomes of each report until it is taken: costs memory and time, so a bridge does not.
    public mutating func observeReports() {
        observations = observations ?? []
    }

    /// What became of the reports since the last call, in their order.
    public mutating func takeObservations() -> [ReportObservation] {
        guard let taken = observations else { return [] }
        observations = []
        return taken
    }

    /// Notes what became of a report of a known peer; metres before and after the accessory's correction.
    ///
    /// One that its session refuses says nothing of the source.
    mutating func observe(
        _ verdict: ReportSample.Verdict,
        _ measured: Double,
        corrected distance: Double,
        on track: Int
    ) {
        guard observations != nil, let outcome = ReportObservation.Outcome(verdict) else { return }
        let isMeasurement = outcome != .withoutMeasurement
        let identifier = tracks[track].identifier
        let observation = ReportObservation(
            accessory: name(ofAccessory: tracks[track].accessory),
            peer: identifier >= 0 ? identifiers.name(of: identifier) : tracks[track].radio?.description,
            at: clock,
            measured: isMeasurement ? measured : nil,
            distance: isMeasurement ? distance : nil,
            outcome: outcome,
            motion: tracks[track].motion
        )
        observations?.append(observation)
    }

    /// Notes a failed round: its peer need not be known, and does not become known by it.
    mutating func observeFailure(_ peer: RangeReport.Peer, in payload: Span<UInt8>, of accessory: Int) {
        guard observations != nil else { return }
        let reported: String? =
            switch peer {
            case .unnamed: nil
            case .name(let range): payload.extracting(range).text
            case .address(let address): address.description
            }
        let configured = reported.flatMap { reported in
            accessories[accessory].options.peers.first { $0.key.uppercased() == reported.uppercased() }
        }
        let observation = ReportObservation(
            accessory: name(ofAccessory: accessory),
            peer: configured.map { $0.value.name ?? $0.key } ?? reported,
            at: clock,
            measured: nil,
            distance: nil,
            outcome: .withoutMeasurement
        )
        observations?.append(observation)
    }

    /// Notes a failed round on a foreign topic, if that names the accessory.
    mutating func observeFailure(inFeed feed: Int) {
        guard observations != nil, let name = feeds[feed].accessory else { return }
        let observation = ReportObservation(
            accessory: name.span.text,
            peer: feeds[feed].peer.map { $0.span.text },
            at: clock,
            measured: nil,
            distance: nil,
            outcome: .withoutMeasurement
        )
        observations?.append(observation)
    }
}

extension ReportObservation.Outcome {
    /// `nil` for a report that did not count, whatever it said.
    fileprivate init?(_ verdict: ReportSample.Verdict) {
        switch verdict {
        case .outOfRange: self = .withoutMeasurement
        case .refused: return nil
        case .duplicate: self = .duplicate
        case .late: self = .late
        case .gated: self = .gated
        case .seededUnconfirmed, .seeded, .passedUnconfirmed, .passed: self = .taken
        }
    }
}
