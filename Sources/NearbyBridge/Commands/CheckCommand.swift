// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// `nearby-bridge check`: everything that is wrong with the configuration, without running anything.
enum CheckCommand {
    /// Checks the configuration and says what would run with it.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        let outcome: Result<LoadedConfiguration, ConfigurationError>
        do throws(ConfigurationError) {
            outcome = .success(try LiveConfiguration(ConfigurationArguments.sources(arguments)).loaded)
        } catch {
            outcome = .failure(error)
        }
        if arguments.has("json") { StandardStream.output.write(String(decoding: json(outcome), as: UTF8.self) + "\n") }
        switch outcome {
        case .success(let loaded):
            guard !arguments.has("json") else { return }
            for warning in loaded.warnings { StandardStream.error.write("warning: \(warning)\n") }
            StandardStream.output.write(summary(loaded) + "\n")
        case .failure(let error):
            let count = error.problems.count
            let text = "\(count) \(count == 1 ? "problem" : "problems")"
            throw CommandFailure(.configuration, arguments.has("json") ? text : "\(text):\n\(error)")
        }
    }

    /// What would run, in one line.
    static func summary(_ loaded: LoadedConfiguration) -> String {
        let configuration = loaded.configuration
        let broker = configuration.broker
        let zones = configuration.zones.map { zone in
            "\(zone.name) \(Decimals.short(zone.radius)) m\(zone.options.isEnabled == false ? " (disabled)" : "")"
        }
        let count = configuration.accessories.count
        let warnings = loaded.warnings.count
        return "ok: configuration \(loaded.origin); broker \(broker.host):\(broker.port)"
            + "\(broker.tls.isEnabled ? " (TLS)" : ""), base topic \(broker.baseTopic); "
            + "\(zones.isEmpty ? "no zones" : "zones " + zones.joined(separator: ", ")); "
            + "\(count) \(count == 1 ? "accessory" : "accessories") configured" + origins(configuration)
            + (warnings == 0 ? "" : "; \(warnings) \(warnings == 1 ? "warning" : "warnings")")
    }

    /// Where else reports come from, and where else is published.
    private static func origins(_ configuration: BridgeConfiguration) -> String {
        let parts = [
            ("reads", SourceMapping(configuration.sources).filters), ("inputs", configuration.inputs.map(\.name)),
            ("publishes", [configuration.outputs.roomTopic, configuration.outputs.fencePrefix].compactMap(\.self)),
        ]
        return parts.filter { !$0.1.isEmpty }.map { "; \($0.0) \($0.1.joined(separator: ", "))" }.joined()
    }

    /// The same for programs, as one object.
    static func json(_ outcome: Result<LoadedConfiguration, ConfigurationError>) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        switch outcome {
        case .success(let loaded):
            let configuration = loaded.configuration
            json.pair("accessories", Int64(configuration.accessories.count))
            json.pair("base_topic", configuration.broker.baseTopic)
            json.pair("broker", "\(configuration.broker.host):\(configuration.broker.port)")
            json.pair("configuration", loaded.origin)
            list("problems", [], into: &json)
            json.pair("status", "ok")
            list("warnings", loaded.warnings, into: &json)
            json.key("zones")
            json.value(
                .object(
                    Dictionary(configuration.zones.map { ($0.name, .number($0.radius)) }) { first, _ in first }
                )
            )
        case .failure(let error):
            list("problems", error.problems, into: &json)
            json.pair("status", "error")
        }
        json.endObject()
        return json.bytes
    }

    private static func list(_ name: String, _ problems: [ConfigurationProblem], into json: inout JSONWriter) {
        json.key(name)
        json.beginArray()
        for problem in problems {
            json.beginObject()
            json.pair("fix", problem.fix)
            json.optional("key", problem.key)
            var source = "\(problem.source)"
            if case .file(let name, let line) = problem.source {
                source = name
                if line > 0 { json.pair("line", Int64(line)) }
            }
            json.pair("message", problem.message)
            json.pair("source", source)
            json.endObject()
        }
        json.endArray()
    }
}

extension CommandDescription {
    static let check = CommandDescription(
        name: .check,
        summary: "Check the configuration: every problem at once.",
        details: """
            Reads the configuration as run would, from the file, the environment and --set, and prints every problem \
            with its key, its place and what to write instead, and exits with 78. Without a problem it prints one line \
            that says what would run, and warnings. Connects to nothing.
            """,
        positional: .none,
        options: configuration + [.flag("json", "Print one JSON object.")],
        examples: [
            Example(command: "nearby-bridge check --config bridge.yaml", explanation: "Before a restart or a SIGHUP."),
            Example(
                command: "nearby-bridge check --json --set zones.near.radius=2.5",
                explanation: "For a program, and with a change that is not in the file yet."
            ),
        ]
    )
}
