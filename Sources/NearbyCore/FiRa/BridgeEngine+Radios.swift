// nearby-bridge · SPDX-License-Identifier: Apache-2.0

// Peers that are FiRa radios: they are told the same run as the accessory, from the other end.

/// The run that a radio was told last, until it was told to end it.
struct RadioRun: Equatable, Sendable {
    /// The radio's name at that time: whoever listens there has to hear the end.
    var peer: String
    /// The number of the run.
    var run: Int64
    /// Its FiRa session; `nil` for one that an earlier life of the bridge began.
    var sessionID: UInt32?
}

extension BridgeEngine {
    /// Whether a peer is a radio that the bridge drives.
    private func isRadio(_ track: Int) -> Bool { radioOptions(track)?.isRadio == true }

    private func radioOptions(_ track: Int) -> PeerOptions? {
        guard let name = peer(of: .track(track)) else { return nil }
        return accessories[tracks[track].accessory].options.peer(called: name)
    }

    /// The address of a radio that is configured by its address: then its reports are told as its own.
    func radioAddress(of owner: SessionOwner) -> ShortAddress? {
        guard case .track(let track) = owner, isRadio(track), let name = peer(of: owner) else { return nil }
        return ShortAddress(accessories[tracks[track].accessory].options.original(of: name))
    }

    /// Tells a radio what its accessory was just told.
    mutating func tellRadio(
        _ command: SessionOutput.Command,
        of owner: SessionOwner,
        _ session: AccessorySession,
        into effects: inout EffectBuffer
    ) {
        guard case .track(let track) = owner else { return }
        switch command {
        case .initialize:
            break
        case .stop:
            stopRadio(track, into: &effects)
        case .configureAndStart(let data):
            // A lost run goes on at the radio until the next one takes its place.
            stopRadio(track, into: &effects)
            guard isRadio(track), let name = peer(of: owner), let configuration = session.configuration else { return }
            start(data, on: track, name, configuration, run: session.run, into: &effects)
        }
    }

    private mutating func start(
        _ data: ShareableConfigurationData,
        on track: Int,
        _ name: String,
        _ configuration: AccessoryConfigurationData,
        run: Int64,
        into effects: inout EffectBuffer
    ) {
        let accessory = tracks[track].accessory
        do throws(FiRaSession.Refusal) {
            let session = try FiRaSession(oppositeTo: configuration, data)
            tracks[track].radioRun = RadioRun(peer: name, run: run, sessionID: session.sessionID)
            let kind = RadioCommand.Kind.configureAndStart(session)
            effects.append(
                .radio(RadioCommand(accessory: self.name(ofAccessory: accessory), peer: name, kind: kind, run: run))
            )
        } catch {
            complain(.radio(error), about: accessory, into: &effects)
        }
    }

    /// Tells a radio to end what it was told last, if it was.
    mutating func stopRadio(_ track: Int, into effects: inout EffectBuffer) {
        guard let last = tracks[track].radioRun else { return }
        tracks[track].radioRun = nil
        effects.append(
            .radio(
                RadioCommand(
                    accessory: name(ofAccessory: tracks[track].accessory),
                    peer: last.peer,
                    kind: .stop(sessionID: last.sessionID),
                    run: last.run
                )
            )
        )
    }

    /// Ends a radio's part of a run that is over, by whoever's will, or that is none of the radio's any more.
    mutating func settleRadio(of owner: SessionOwner, into effects: inout EffectBuffer) {
        guard case .track(let track) = owner, tracks[track].radioRun != nil else { return }
        if session(of: owner)?.isRunning == true, isRadio(track) { return }
        stopRadio(track, into: &effects)
    }

    /// A run of an earlier life may still go on at the radio.
    mutating func noteRestoredRadio(_ track: Int) {
        let owner = SessionOwner.track(track)
        guard isRadio(track), let session = session(of: owner), session.isRunning, let name = peer(of: owner) else {
            return
        }
        tracks[track].radioRun = RadioRun(peer: name, run: session.run, sessionID: nil)
    }
}
