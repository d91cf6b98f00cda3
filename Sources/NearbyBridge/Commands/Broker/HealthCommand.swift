// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import MosquittoClient

/// `nearby-bridge health`: whether the running bridge is alive, for probes of containers.
enum HealthCommand {
    /// The figures that the line shows; a bridge of another version may lack some.
    private struct Figures: Decodable {
        struct Outbox: Decodable { var messages: Int? }
        var accessories: Int?
        var events: Int?
        var outbox: Outbox?
        var reportRate: Double?
        var uptime: Double?
        var version: String?

        enum CodingKeys: String, CodingKey {
            case accessories, events, outbox, uptime, version
            case reportRate = "report_rate"
        }
    }

    /// Prints one line of figures, or fails with one line of why.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        let options = BridgeOptions(try ConfigurationArguments.load(arguments))
        let timeout = arguments.duration("timeout") ?? .seconds(5)
        let token = BridgeOptions.randomToken()
        let connection = BriefConnection(options, for: "health", token: token, timeout: timeout)
        let question = HealthQuestion(topics: options.topics, token: token, patience: timeout)
        let answer = try CommandFailure.unavailable { () throws(MosquittoError) in
            try connection.open()
            defer { connection.close() }
            return try question.ask(over: connection)
        }
        switch answer {
        case .silent(let why): throw CommandFailure(.unavailable, why)
        case .alive(let data):
            let text = arguments.has("json") ? String(decoding: data, as: UTF8.self) : line(data)
            StandardStream.output.write(text + "\n")
        }
    }

    /// The main figures in one line.
    static func line(_ data: [UInt8]) -> String {
        guard let figures = try? JSONDecoder().decode(Figures.self, from: Data(data)) else { return "alive" }
        var parts: [String] = []
        if let version = figures.version { parts.append("version \(PlainText.plain(version))") }
        if let uptime = figures.uptime { parts.append("up \(Column.decimal(uptime, 0)) s") }
        if let accessories = figures.accessories { parts.append("\(accessories) accessories") }
        if let rate = figures.reportRate { parts.append("\(Column.decimal(rate, 1)) reports/s") }
        if let events = figures.events { parts.append("\(events) events") }
        if let waiting = figures.outbox?.messages { parts.append("\(waiting) messages waiting") }
        return parts.isEmpty ? "alive" : "alive: \(parts.joined(separator: ", "))"
    }
}
