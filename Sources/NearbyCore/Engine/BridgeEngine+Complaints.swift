// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What people should read in the log, not too often.
extension BridgeEngine {
    /// Complains about an accessory at most once a minute.
    mutating func complain(_ kind: Complaint.Kind, about accessory: Int, into effects: inout EffectBuffer) {
        guard clock >= accessories[accessory].nextComplaint else {
            accessories[accessory].suppressedComplaints += 1
            return
        }
        let suppressed = accessories[accessory].suppressedComplaints
        accessories[accessory].suppressedComplaints = 0
        accessories[accessory].nextComplaint = clock.advanced(by: Self.complaintPause)
        effects.append(
            .complaint(Complaint(accessory: name(ofAccessory: accessory), kind: kind, suppressed: suppressed))
        )
    }

    /// Complains about an accessory, a foreign topic, a device or a port, at most once a minute.
    mutating func complain(_ kind: Complaint.Kind, about origin: ReportOrigin, into effects: inout EffectBuffer) {
        switch origin {
        case .accessory(let index): complain(kind, about: index, into: &effects)
        case .feed(let feed, _):
            guard clock >= feeds[feed].nextComplaint else {
                feeds[feed].suppressedComplaints += 1
                return
            }
            let topic = String(decoding: feeds[feed].topic, as: UTF8.self)
            let suppressed = feeds[feed].suppressedComplaints
            feeds[feed].suppressedComplaints = 0
            feeds[feed].nextComplaint = clock.advanced(by: Self.complaintPause)
            let subject: Complaint.Subject = feeds[feed].isInput ? .input : .topic
            effects.append(
                .complaint(Complaint(accessory: topic, kind: kind, suppressed: suppressed, subject: subject))
            )
        }
    }

    /// Why the peer of a report has no track.
    func refusal(of peer: RangeReport.Peer, _ payload: Span<UInt8>, _ accessory: Int) -> Complaint.Kind {
        guard case .name(let range) = peer, !options.people.isEmpty else { return .tooManyPeers }
        let reported = payload.extracting(range).text
        let shown = accessories[accessory].options.peers[reported]?.name ?? reported
        return options.people[shown] == nil ? .tooManyPeers : .peerIsPerson
    }

    private static let complaintPause = Duration.seconds(60)
}
