// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The requests `accessory/approve`, `accessory/revoke`, `accessory/remove` and `permit_join`: who belongs to this bridge, and
/// who may range.
enum AccessoryRequests {
    /// The commands, by what follows `request/`.
    static let commands = ["accessory/approve", "accessory/revoke", "accessory/remove", "permit_join"]
    /// Joining is never permitted for longer: a day.
    static let longestPermission = 86_400

    /// What became of reading a request.
    enum Result: Equatable {
        /// It is another command.
        case unknown
        /// It cannot be carried out.
        case refused(String)
        /// It can.
        case input(BridgeInput)
        /// It is two things.
        case inputs(BridgeInput, BridgeInput)
    }

    /// Reads a request at a moment into an input of the engine; an error names the field.
    static func input(of request: Request, in engine: borrowing BridgeEngine, at now: Instant) -> Result {
        guard commands.contains(request.command) else { return .unknown }
        if let fault = request.fault { return .refused(fault) }
        guard request.command != "permit_join" else { return permitJoin(request, at: now) }
        guard let name = request.accessory else {
            return .refused(Request.accessoryMissing)
        }
        guard AccessoryIdentifier.isValid(Array(name.utf8).span) else {
            return .refused("accessory: not a name of 1 to 64 of A–Z a–z 0–9 . _ : -")
        }
        if request.command == "accessory/approve" {
            let isListed = engine.options.accessories[name] != nil
            guard engine.options.join != .allowlist || isListed else {
                return .refused("accessory: join: allowlist takes only what is listed under accessories; list it there")
            }
            return approve(name, request, in: engine, at: now)
        }
        if request.command == "accessory/revoke" { return revoke(name, request, in: engine) }
        let isBlocked = request.isBlocked ?? false
        var isKnown = isBlocked
        if engine.accessory(named: name) != nil { isKnown = true }
        if engine.membership.approved.contains(name) { isKnown = true }
        for candidate in engine.candidates where candidate.identifier == name { isKnown = true }
        guard isKnown else {
            return .refused(Request.unknown(accessory: name))
        }
        return .input(.remove(name, isBlocked: isBlocked))
    }

    /// Lets it join, and range for so long.
    private static func approve(
        _ name: String,
        _ request: Request,
        in engine: borrowing BridgeEngine,
        at now: Instant
    ) -> Result {
        if let fault = peerFault(request, in: engine) { return .refused(fault) }
        var expiry = Int64.max
        if let seconds = request.time {
            guard 1...longestGrant ~= seconds else {
                return .refused("time: expected 1 to \(longestGrant) seconds; leave it out for good")
            }
            let milliseconds = now.nanoseconds / 1_000_000
            expiry = engine.options.unixMillisecondsAtOrigin + milliseconds + Int64(seconds) * 1000
        }
        return .inputs(.approve(name), .grant(name, peer: request.peer, until: expiry))
    }

    private static func revoke(_ name: String, _ request: Request, in engine: borrowing BridgeEngine) -> Result {
        if let fault = peerFault(request, in: engine) { return .refused(fault) }
        guard engine.membership.grants[name]?[request.peer ?? ""] != nil else {
            let whom = request.peer.map { "\"\($0)\" at \"\(name)\"" } ?? "\"\(name)\""
            return .refused("\(request.peer == nil ? "accessory" : "peer"): nobody has allowed \(whom)")
        }
        return .input(.revoke(name, peer: request.peer))
    }

    private static func peerFault(_ request: Request, in engine: borrowing BridgeEngine) -> String? {
        guard let peer = request.peer else { return nil }
        guard AccessoryIdentifier.isValid(Array(peer.utf8).span) else {
            return "peer: not a name of 1 to 64 of A–Z a–z 0–9 . _ : -"
        }
        return engine.options.people[peer] == nil
            ? nil : "peer: \"\(peer)\" is a person; name what the person carries"
    }

    /// Ten years of seconds: longer is for good.
    static let longestGrant = 315_360_000

    private static func permitJoin(_ request: Request, at now: Instant) -> Result {
        guard let seconds = request.time else {
            return .refused("time: missing; seconds for which anybody may join, 0 ends that")
        }
        guard 0...longestPermission ~= seconds else {
            return .refused("time: expected 0 to \(longestPermission) seconds")
        }
        return .input(.permitJoin(until: seconds == 0 ? nil : now.advanced(by: .seconds(seconds))))
    }
}
