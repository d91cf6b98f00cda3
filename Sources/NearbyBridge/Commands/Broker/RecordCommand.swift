// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Gzip
import LinuxSystem
import MosquittoClient
import NearbyCore

/// `nearby-bridge record`: what accessories say, kept as JSON lines.
enum RecordCommand {
    /// Records until the duration is over or Ctrl-C.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        let signals = try RunCommand.systemCall { () throws(SystemError) in try Signals() }
        let loaded = try ConfigurationArguments.load(arguments)
        let options = BridgeOptions(loaded)
        let withSecrets = arguments.has("with-secrets")
        let file = try arguments.text("output").map { path throws(CommandFailure) in
            try create(path, overwrites: arguments.has("overwrite"), isPrivate: withSecrets)
        }
        if file == nil, arguments.has("overwrite") {
            throw CommandFailure(.usage, "--overwrite needs --output")
        }
        var failure: SystemError?
        let recorder = try RunCommand.systemCall { () throws(SystemError) in
            try Recorder(
                options,
                accessories: arguments.texts("accessory"),
                withSecrets: withSecrets,
                signals: signals,
                log: Log(loaded.configuration.log)
            ) { lines in
                guard let file else { return lines.isEmpty || StandardStream.output.write(lines.span) }
                do throws(SystemError) {
                    try file.write(lines, at: Instant(nanoseconds: MonotonicClock.now()))
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
        }
        let ending = recorder.run(for: arguments.duration("duration"))
        do throws(SystemError) { try file?.close() } catch { failure = failure ?? error }
        if let failure { throw CommandFailure(.unavailable, "\(failure); the recording ends here") }
        let address = "\(options.broker.host):\(options.broker.port)"
        if ending == .neverSubscribed {
            let why =
                recorder.refused.isEmpty
                ? "no broker at \(address); start one, or set mqtt.host and mqtt.port"
                : "the broker at \(address) does not let this user read \(options.topics.base)/accessory/…"
            throw CommandFailure(.unavailable, why)
        }
        let gaps = recorder.gaps == 0 ? "" : ", with \(recorder.gaps) gaps"
        StandardStream.error.write("recorded \(recorder.messages) messages\(gaps)\n")
    }

    private static func create(
        _ path: String,
        overwrites: Bool,
        isPrivate: Bool
    ) throws(CommandFailure) -> RecordingFile {
        let file: OutputFile
        do throws(SystemError) {
            file = try OutputFile(path, overwrites: overwrites, isPrivate: isPrivate)
        } catch {
            let fix = error.isExisting ? "; choose another name, or add --overwrite" : ""
            throw CommandFailure(.unavailable, "\(error)\(fix)")
        }
        do throws(GzipError) {
            return try RecordingFile(file)
        } catch {
            throw CommandFailure(.unavailable, "cannot pack \(path): \(error)")
        }
    }
}
