// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Sessions whose other end is known by its configuration: phones that make the shareable configuration data, and radios.
extension BridgeEngine {
    // MARK: Who makes the shareable configuration data

    /// Whether a phone makes the shareable configuration data of a session.
    func isRelayed(_ owner: SessionOwner) -> Bool {
        let accessory = accessoryIndex(of: owner)
        let name = peer(of: owner)
        let peer = name.flatMap { accessories[accessory].options.peer(called: $0) }
        switch accessories[accessory].options.shareable ?? options.session.shareable {
        case .mint: return false
        case .relay: return peer?.isRadio != true
        case .auto: return name != nil && peer?.isRadio != true
        }
    }

    /// Makes the sessions of the configured peers that want one when the accessory sends configuration data: radios, and
    /// phones where phones are asked.
    ///
    /// - Returns: Their tracks. A peer that is only the name of a radio address is neither.
    mutating func expectedTracks(of accessory: Int) -> [Int] {
        let accessoryOptions = accessories[accessory].options
        guard !accessoryOptions.peers.isEmpty else { return [] }
        let isAsking = (accessoryOptions.shareable ?? options.session.shareable) != .mint
        var tracks: [Int] = []
        for (reported, peer) in accessoryOptions.peers.sorted(by: { $0.key < $1.key }) {
            guard peer.isRadio || (isAsking && !reported.hasPrefix("0x") && !reported.hasPrefix("0X")) else { continue }
            let name = peer.name ?? reported
            guard case .track(let track) = sessionOwner(of: accessory, peer: name) else { continue }
            tracks.append(track)
        }
        return tracks
    }

    // MARK: What a phone sends

    /// Takes a payload of `…/shareable`, or of `…/peer/<peer>/shareable`.
    ///
    /// It counts only if the current run awaits it (CONTRACT section 2.1). What the broker has kept is of another run.
    mutating func takeShareable(
        _ payload: [UInt8],
        of accessory: Int,
        peer: String?,
        isRetained: Bool,
        into effects: inout EffectBuffer
    ) {
        guard !payload.isEmpty, isShort(payload, of: accessory, into: &effects) else { return }
        guard !isRetained else { return refuse(.isRetained, of: accessory, into: &effects) }
        guard let owner = knownOwner(of: accessory, peer: peer), let session = session(of: owner),
            session.state == .configuring
        else { return refuse(.isNotAwaited, of: accessory, into: &effects) }
        do throws(CodecError) {
            guard let bytes = try ConfigurationPayload.decode(payload.span, as: .shareable).data?.bytes else {
                throw CodecError(.shareableConfigurationData, .empty)
            }
            let data = try ShareableConfigurationData.decode(bytes.span)
            guard session.awaits(data) else { return refuse(.isOfEarlierRun, of: accessory, into: &effects) }
            handle(.shareable(data), of: owner, into: &effects)
        } catch {
            counters.malformedMessages += 1
            complain(.message(error), about: accessory, into: &effects)
            let hint = error.hint?.text ?? "send what the phone's session gave, unchanged: bytes, hexadecimal or base64"
            emit(.configurationRejected(reason: "\(error)", hint: hint), of: owner, into: &effects)
            tellNumber(of: streamID(of: owner), into: &effects)
        }
    }

    private mutating func refuse(
        _ fault: Complaint.ShareableFault,
        of accessory: Int,
        into effects: inout EffectBuffer
    ) {
        counters.unawaitedShareable += 1
        complain(.shareable(fault), about: accessory, into: &effects)
    }

    /// The session of a peer if there is one; none is made.
    func knownOwner(of accessory: Int, peer: String?) -> SessionOwner? {
        guard let peer else { return .accessory(accessory) }
        let bytes = Array(peer.utf8)
        guard let place = identifiers.index(of: bytes.span, in: accessory + 1) else { return nil }
        let track = trackPlaces[place]
        return tracks[track].session == nil ? nil : .track(track)
    }

    /// The stream that a session's events are told on.
    func streamID(of owner: SessionOwner) -> StreamID {
        switch owner {
        case .accessory(let index): StreamID(accessory: AccessoryIndex(index))
        case .track(let track): streamID(ofTrack: track)
        }
    }
}
