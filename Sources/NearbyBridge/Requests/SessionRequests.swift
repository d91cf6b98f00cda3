// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The requests `accessory/{start,stop,suspend,resume,invalidate}`.
enum SessionRequests {
    /// The commands, by what follows `request/`.
    static let commands = [
        "accessory/start", "accessory/stop", "accessory/suspend", "accessory/resume", "accessory/invalidate",
    ]

    /// Why a session may be stopped: because somebody wants that, or because the phone at its other end did it.
    private static let stopReasons = [SessionReason.requested.word, SessionReason.peerEnded.word]

    /// Reads a request into an input of the engine; an error names the field.
    static func input(of request: Request, in engine: borrowing BridgeEngine) -> Result {
        guard let input = sessionInput(of: request) else { return .unknown }
        if let fault = request.fault { return .refused(fault) }
        if let reason = request.reason, !stopReasons.contains(reason) {
            return .refused("reason: \"\(reason)\" is none; use \(stopReasons.joined(separator: " or "))")
        }
        guard let name = request.accessory else {
            return .refused(Request.accessoryMissing)
        }
        guard let accessory = engine.accessory(named: name) else {
            return .refused(Request.unknown(accessory: name))
        }
        if input == .start, !engine.exchangesConfiguration(accessory) {
            return .refused("accessory: \"\(name)\" exchanges nothing; its session begins with its first report")
        }
        if let peer = request.peer, !AccessoryIdentifier.isValid(Array(peer.utf8).span) {
            return .refused("peer: not a name of 1 to 64 of A–Z a–z 0–9 . _ : -")
        }
        if let peer = request.peer, engine.options.people[peer] != nil {
            return .refused("peer: \"\(peer)\" is a person; name what the person carries")
        }
        if let peer = request.peer, engine.stream(of: accessory, peer: peer) == nil {
            // Only a start makes a session; nothing else may invent a peer.
            guard input == .start else { return .refused(Request.unknown(peer: peer, of: name)) }
            guard engine.hasRoomForPeer(of: accessory) else {
                return .refused("peer: \"\(name)\" has as many as limits.peers allows")
            }
        }
        return .input(.session(input, of: accessory, peer: request.peer), accessory)
    }

    /// What became of reading a request.
    enum Result {
        /// It is another command.
        case unknown
        /// It cannot be carried out.
        case refused(String)
        /// It can.
        case input(BridgeInput, AccessoryIndex)
    }

    private static func sessionInput(of request: Request) -> SessionInput? {
        switch request.command {
        case "accessory/start": .start
        case "accessory/stop": request.reason == SessionReason.peerEnded.word ? .signal(.ended) : .stop
        case "accessory/suspend": .suspend
        case "accessory/resume": .resume
        case "accessory/invalidate": .invalidate(code: request.code)
        default: nil
        }
    }
}
