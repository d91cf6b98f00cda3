// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient

/// `nearby-bridge purge`: removes everything that a bridge left with the broker.
enum PurgeCommand {
    /// Without a sign from the broker for so long, something is wrong.
    private static let patience: Duration = .seconds(30)

    /// Removes and prints what a bridge of this base topic retains.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        let loaded = try ConfigurationArguments.load(arguments)
        let options = BridgeOptions(loaded)
        let token = BridgeOptions.randomToken()
        let connection = BriefConnection(options, for: "purge", token: token, timeout: patience)
        let isDry = arguments.has("dry-run")
        let prefix = loaded.redacted.last { $0.key == "home_assistant.prefix" }?.value ?? "homeassistant"
        let purge = Purge(
            topics: options.topics,
            discoveryPrefix: prefix,
            connection: connection,
            token: token
        )
        let isForced = arguments.has("force")
        let outcome = try CommandFailure.unavailable { () throws(MosquittoError) in
            try connection.open()
            defer { connection.close() }
            return try purge.run(isDry: isDry, isForced: isForced) { topic in
                // A discovery topic may hold anything; nothing of it shall steer a terminal.
                let shown = topic.utf8.allSatisfy { $0 < 0x80 } ? topic : PlainText.plain(topic)
                StandardStream.output.write("\(isDry ? "would remove" : "removed") \(shown)\n")
            }
        }
        switch outcome {
        case .bridgeIsAlive:
            throw CommandFailure(
                .unavailable,
                "a bridge is alive on \(options.topics.base) and would publish everything again; "
                    + "stop it first, or add --force"
            )
        case .unreadable(let topic):
            throw CommandFailure(
                .unavailable,
                "the broker did not bring back \(topic); may this user read and write it?"
            )
        case .left(let topics):
            let first = topics.first ?? ""
            throw CommandFailure(
                .unavailable,
                "\(topics.count) topics are still there, the first is \(first); may this user write it, "
                    + "or does a bridge publish again?"
            )
        case .done(let count):
            StandardStream.output.write("\(isDry ? "would remove" : "removed") \(count) retained topics\n")
        }
    }
}
