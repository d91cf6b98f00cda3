// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import NearbyCore

extension Scenario {
    /// The commands so far, of one accessory or of all.
    func commands(of accessory: String? = "lamp") -> [AccessoryCommand] {
        records.compactMap { record in
            guard case .command(let command) = record.effect else { return nil }
            return accessory == nil || command.accessory == accessory ? command : nil
        }
    }

    /// The names of the commands so far.
    func commandNames() -> [String] {
        commands().map { command in
            switch command.command {
            case .initialize: "initialize"
            case .configureAndStart: "start \(command.run)"
            case .stop: "stop"
            }
        }
    }

    /// What radios were told so far.
    func radioCommands() -> [RadioCommand] {
        records.compactMap { record in
            guard case .radio(let command) = record.effect else { return nil }
            return command
        }
    }

    /// The same in short: `gate-1 start 1`, `gate-1 stop 1`.
    func radioStory() -> [String] {
        radioCommands().map { command in
            switch command.kind {
            case .configureAndStart: "\(command.peer) start \(command.run)"
            case .stop: "\(command.peer) stop \(command.run)"
            }
        }
    }

    /// The sessions that radios were told to begin.
    func radioSessions() -> [FiRaSession] {
        radioCommands().compactMap { command in
            guard case .configureAndStart(let session) = command.kind else { return nil }
            return session
        }
    }

    /// The shareable configuration data sent so far.
    func shareables(of accessory: String? = "lamp") -> [ShareableConfigurationData] {
        commands(of: accessory).compactMap { command in
            guard case .configureAndStart(let data) = command.command else { return nil }
            return data
        }
    }

    /// Events of zones and sessions of all streams of the lamp, in order, each with its stream: `- started 1`.
    func wholeStory() -> [String] {
        records.compactMap { record in
            switch record.effect {
            case .event(let event): "\(event.peer ?? "-") \(event.summary)"
            case .sessionEvent(let event): "\(event.peer ?? "-") \(event.kind.summary)"
            default: nil
            }
        }
    }

    func session(of accessory: String = "lamp", peer: String? = nil) -> AccessorySession? {
        guard let index = engine.accessory(named: accessory), let stream = engine.stream(of: index, peer: peer) else {
            return nil
        }
        return engine.session(of: stream)
    }
}

extension SessionEvent.Kind {
    /// The event in short.
    var summary: String {
        switch self {
        case .started(let run): "started \(run)"
        case .ended(let run, let reason): "ended \(run) \(reason.word)"
        case .timeout(let run, let stage): "timeout \(run) \(stage.word)"
        case .retry(let attempt, _, _, let rung): "retry \(attempt) \(rung)"
        case .suspended(let reason): "suspended \(reason.word)"
        case .resumed(let reason): "resumed \(reason.word)"
        case .invalidated(let reason, _, _): "invalidated \(reason.word)"
        case .configurationRequired(let reason): "required \(reason.word)"
        case .convergence(let convergence): ([convergence.status.word] + convergence.words).joined(separator: " ")
        case .configurationRejected: "rejected"
        case .authorizationRequired(let reason): "authorize \(reason.word)"
        }
    }
}
