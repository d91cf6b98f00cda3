// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Which measurements there are now, and why there are no others.
extension BridgeEngine {
    /// What a device can, as far as somebody says: of a peer the configuration, else of its accessory the configuration,
    /// else the accessory itself.
    func capabilities(of accessory: Int, _ track: Int?) -> Capabilities? {
        if let track, tracks[track].isNamed {
            let name = identifiers.name(of: tracks[track].identifier)
            if let said = accessories[accessory].options.peer(called: name)?.capabilities { return said }
        }
        return accessories[accessory].options.capabilities ?? accessories[accessory].announced.capabilities
    }

    /// The peer that a state speaks of: the one whose distance it shows, else the one that was heard last.
    func subject(shown: Int?, among involved: [Int]) -> Int? {
        if let shown { return shown }
        return involved.filter { tracks[$0].heardAt != nil }
            .max { (tracks[$0].heardAt ?? .distantPast) < (tracks[$1].heardAt ?? .distantPast) }
    }

    /// What can be measured of a stream's subject; `nil` while no report ever came.
    func guidance(of stream: StreamID, subject: Int?) -> Guidance? {
        let session = session(of: stream)
        let hinder = Guidance.hinder(session.state, session.reason)
        guard let subject, tracks[subject].heardAt != nil else {
            // Reports that measured nothing do not tell whose they were.
            let isFailing = stream.peer == nil && accessories[stream.accessory.rawValue].failedAt != nil
            guard isFailing else { return nil }
            let answer = hinder ?? Guidance.Answer(.noMeasurement)
            return Guidance(distance: answer, direction: answer)
        }
        let track = tracks[subject]
        let capabilities = capabilities(of: track.accessory, subject)
        guard !track.isPresent else {
            return Guidance(distance: .available, direction: direction(of: track, capabilities))
        }
        let absence = hinder ?? Guidance.Answer(isFailing(track) ? .noMeasurement : .noReport)
        return Guidance(
            distance: track.lastReport == nil && capabilities?.measuresDistance == false
                ? Guidance.distanceNotSupported : absence,
            direction: !track.hadDirection && capabilities?.measuresDirection == false
                ? Guidance.directionNotSupported : absence
        )
    }

    /// Whether the reports that come measure nothing.
    private func isFailing(_ track: Track) -> Bool {
        guard let failedAt = track.failedAt else { return false }
        let lostAfter = zoneSets[track.zoneSet].lostAfter
        return lostAfter == .max || max(failedAt, watchedSince).nanoseconds(to: clock) <= lostAfter
    }

    /// Whether the direction of somebody who is measured is measured too.
    private func direction(of track: Track, _ capabilities: Capabilities?) -> Guidance.Answer {
        guard track.measurement != .distanceAndDirection else { return .available }
        if !track.hadDirection, capabilities?.measuresDirection == false { return Guidance.directionNotSupported }
        if let convergence = track.convergence.current, convergence.hindersDirection {
            return Guidance.Answer(.notConverged, hint: convergence.hint)
        }
        let isSupported = track.hadDirection || capabilities?.measuresDirection == true
        return isSupported ? Guidance.directionOutOfView : Guidance.Answer(.noMeasurement)
    }
}

extension Capabilities {
    /// Whether a device with these can measure how far something is.
    fileprivate var measuresDistance: Bool {
        !isDisjoint(with: [.preciseDistance, .extendedDistance, .downlinkTDoA, .channelSounding])
    }

    /// Whether a device with these can measure where something is: a camera helps where the radio alone cannot.
    fileprivate var measuresDirection: Bool { !isDisjoint(with: [.direction, .cameraAssistance]) }
}
