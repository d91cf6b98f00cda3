// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import NearbyCore

/// Changing the configuration while the bridge runs.
extension ShardLoop {
    /// A change is told with so many keys at most.
    private static let mostKeysTold = 10

    /// Reads the configuration again, as SIGHUP asks.
    func reload() {
        guard configuration.canReload else {
            return log.warning("SIGHUP: there is no configuration to read again", .configuration)
        }
        var dropped: [ConfigurationProblem] = []
        do throws(ConfigurationError) {
            let changes = try configuration.reload(dropped: &dropped)
            for problem in dropped {
                log.warning("\(problem.key ?? ""), set by a request, is dropped: \(problem.message)", .configuration)
            }
            for warning in configuration.loaded.warnings { log.warning("\(warning)", .configuration) }
            tell(changes)
            apply()
            if !dropped.isEmpty { performer.journal.set(configuration.runtime.texts) }
        } catch {
            for problem in error.problems.prefix(Self.mostKeysTold) { log.error("\(problem)", .configuration) }
            let more = error.problems.count - Self.mostKeysTold
            log.error(
                "not reloaded, the old configuration stays in effect"
                    + (more > 0 ? "; \(more) more problems: nearby-bridge check shows all" : ""),
                .configuration
            )
        }
    }

    private func tell(_ changes: ConfigurationChanges) {
        let origin = configuration.loaded.origin
        if changes.isEmpty { return log.info("reloaded (\(origin)): nothing changed", .configuration) }
        if !changes.live.isEmpty {
            log.info("reloaded (\(origin)), in effect now: \(Self.list(changes.live))", .configuration)
        }
        if !changes.restart.isEmpty {
            log.warning("takes effect after a restart: \(Self.list(changes.restart))", .configuration)
        }
    }

    private static func list(_ changes: [ConfigurationChanges.Change]) -> String {
        let more = changes.count - mostKeysTold
        return changes.prefix(mostKeysTold).map(\.text).joined(separator: ", ")
            + (more > 0 ? ", and \(more) more" : "")
    }

    /// Carries out a request that changes options.
    func answer(_ request: Request, changing change: OptionRequests.Change) -> Response {
        do throws(ConfigurationError) {
            let changes = try configuration.set(change.node, at: change.path)
            if requestLines.spend(at: now) {
                let what = changes.live.isEmpty ? "nothing changed" : Self.list(changes.live)
                log.info("\(request.command): \(what)\(requestLines.remark())", .requests)
            }
            if !changes.isEmpty { apply() }
            performer.journal.set(configuration.runtime.texts)
            if request.command == "accessory/rename", request.peer == nil, let name = request.accessory {
                performer.tellRenamed(name, at: now, into: &outbox)
            }
            return .ok(BridgePayloads.changes(changes))
        } catch {
            return .error(OptionRequests.text(of: error, change))
        }
    }

    /// Puts the configuration into effect.
    func apply() {
        let loaded = configuration.loaded
        var new = BridgeOptions(loaded)
        new.instance = options.instance
        new.engine.unixMillisecondsAtOrigin = options.engine.unixMillisecondsAtOrigin
        new.restartKeys = configuration.restartKeys
        log.use(loaded.configuration.log)
        let now = now
        engine.advance(to: now, into: &effects)
        performEffects()
        engine.handle(.options(new.engine), at: now, into: &effects)
        // What is gone is cleared by the names that it had.
        performEffects()
        options = new
        performer.options = new
        outbox.capacity = new.outboxBytes
        if case .starting(let startUp) = stage { startUp.options = new }
        performer.accessoriesChanged = true
        isInfoStale = true
    }

    /// Publishes `bridge/info` after a change, at most once a second; on connecting it is published anyway.
    func publishInfoIfStale() {
        guard isInfoStale, nextInfo <= now else { return }
        isInfoStale = false
        nextInfo = now.advanced(by: .seconds(1))
        outbox.append(retained(options.topics.bridgeInfo, BridgePayloads.info(options, startedAt: startedAt)))
    }
}
