// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
internal import YAML

/// The requests `accessory/options`, `accessory/rename`, `zone/options` and `log_level`: keys of the configuration,
/// changed while the bridge runs.
enum OptionRequests {
    /// The commands, by what follows `request/`.
    static let commands = ["accessory/options", "accessory/rename", "zone/options", "log_level"]

    /// What to set where, and what the request calls that place.
    struct Change: Equatable {
        var path: ConfigurationPath
        var node: YAMLNode
        /// The field that holds what is set.
        var field: String
    }

    /// What became of reading a request.
    enum Result: Equatable {
        /// It is another command.
        case unknown
        /// It cannot be carried out.
        case refused(String)
        /// It can, unless the values are wrong.
        case change(Change)
    }

    /// Reads a request; an error names the field.
    static func change(
        of request: Request,
        in engine: borrowing BridgeEngine,
        _ configuration: BridgeConfiguration
    ) -> Result {
        guard commands.contains(request.command) else { return .unknown }
        if let fault = request.fault { return .refused(fault) }
        switch request.command {
        case "log_level": return logLevel(request)
        case "accessory/rename":
            return accessory(request, in: engine, configuration) { path in
                guard let name = request.name else {
                    return .refused("name: missing; null gives back the configured one")
                }
                return .change(Change(path: path.appending("name"), node: name.node, field: "name"))
            }
        case "accessory/options":
            return accessory(request, in: engine, configuration) { path in options(request, at: path) }
        default:
            return zone(request, in: engine, configuration)
        }
    }

    /// What is wrong, in the words of the request: `options.zones.near.radius: expected …`.
    static func text(of error: ConfigurationError, _ change: Change) -> String {
        error.problems.map { problem in
            var name = problem.key ?? change.field
            let path = "\(change.path)"
            if name.hasPrefix(path) { name = change.field + name.dropFirst(path.count) }
            return "\(name): \(problem.message); \(problem.fix)"
        }.joined(separator: "; ")
    }

    private static func options(_ request: Request, at path: ConfigurationPath) -> Result {
        guard let options = request.options else {
            return .refused("options: missing; such as {\"options\":{\"distance_offset\":-0.12}}")
        }
        guard case .object(let pairs) = options, !pairs.isEmpty else {
            return .refused("options: expected an object with at least one key")
        }
        return .change(Change(path: path, node: options.node, field: "options"))
    }

    private static func logLevel(_ request: Request) -> Result {
        guard let level = request.level else {
            return .refused("level: missing; one of \(LogLevel.words.joined(separator: ", "))")
        }
        guard let subsystem = request.subsystem else {
            return .change(Change(path: ConfigurationPath(["log", "level"]), node: level.node, field: "level"))
        }
        guard LogSubsystem(rawValue: subsystem) != nil else {
            return .refused(
                "subsystem: \"\(PlainText.plain(subsystem))\" is unknown; \(NearestName.hint(subsystem, in: LogSubsystem.words))"
            )
        }
        let path = ConfigurationPath(["log", "levels", subsystem])
        return .change(Change(path: path, node: level.node, field: "level"))
    }

    private static func zone(
        _ request: Request,
        in engine: borrowing BridgeEngine,
        _ configuration: BridgeConfiguration
    ) -> Result {
        let known = configuration.zones.map(\.name)
        guard let zone = request.zone else { return .refused("zone: missing; one of \(known.joined(separator: ", "))") }
        guard known.contains(zone) else {
            return .refused(Request.unknown(zone: zone, among: known))
        }
        guard request.accessory != nil || request.peer != nil else {
            return options(request, at: ConfigurationPath(["zones", zone]))
        }
        return accessory(request, in: engine, configuration) { path in
            options(request, at: path.appending("zones").appending(zone))
        }
    }

    /// Finds the section of the accessory, or of its peer, that a request names.
    private static func accessory(
        _ request: Request,
        in engine: borrowing BridgeEngine,
        _ configuration: BridgeConfiguration,
        _ then: (ConfigurationPath) -> Result
    ) -> Result {
        guard let name = request.accessory else {
            return .refused(Request.accessoryMissing)
        }
        let listed = configuration.accessories.first { $0.id == name }
        let joined = engine.accessory(named: name)
        guard listed != nil || joined != nil else {
            return .refused(Request.unknown(accessory: name))
        }
        let path = ConfigurationPath(["accessories", name])
        guard let peer = request.peer else { return then(path) }
        // Topics may call a peer by another name than its reports, which is the one that the configuration knows.
        let original = listed?.peers.first { $0.name == peer }?.id ?? peer
        let isListed = listed?.peers.contains { $0.id == original } ?? false
        var isSeen = false
        if let joined { isSeen = engine.stream(of: joined, peer: peer) != nil }
        guard isListed || isSeen else {
            return .refused(Request.unknown(peer: peer, of: name))
        }
        return then(path.appending("peers").appending(original))
    }
}
