// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The request `zone/explain`: why a zone is what it is.
enum ExplainRequests {
    /// The commands, by what follows `request/`.
    static let commands = ["zone/explain"]

    /// Answers a request; an error names the field.
    ///
    /// - Returns: `nil` if it is another command.
    static func answer(
        _ request: Request,
        in engine: inout BridgeEngine,
        _ wall: WallTime,
        at now: Instant
    ) -> Response? {
        guard commands.contains(request.command) else { return nil }
        if let fault = request.fault { return .error(fault) }
        let zones = engine.options.zones.map(\.name)
        guard let name = request.accessory else { return .error(Request.accessoryMissing) }
        guard let accessory = engine.accessory(named: name) else { return .error(Request.unknown(accessory: name)) }
        guard let zone = request.zone else {
            return .error("zone: missing; one of \(zones.joined(separator: ", "))")
        }
        guard let place = zones.firstIndex(of: zone) else { return .error(Request.unknown(zone: zone, among: zones)) }
        guard let explanation = engine.explain(accessory, peer: request.peer, zone: place, at: now) else {
            return .error(Request.unknown(peer: request.peer ?? "", of: name))
        }
        var json = JSONWriter()
        ZoneExplanationPayload.write(explanation, zones: zones, wall, into: &json)
        return .ok(json.bytes)
    }
}
