// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient

/// `nearby-bridge run`: the bridge.
enum RunCommand {
    /// Runs the bridge until a signal ends it.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        // Before any thread exists, so that every thread leaves the signals to the loop.
        let signals = try systemCall { () throws(SystemError) in try Signals() }
        let loaded = try ConfigurationArguments.load(arguments)
        let options = try ConfigurationArguments.options(loaded)
        let log = Log(loaded.configuration.log)
        log.info(
            "nearby-bridge \(Version.text), configuration \(source(of: loaded)), broker "
                + "\(options.broker.host):\(options.broker.port)"
                + "\(options.broker.tls == nil ? "" : " (TLS)"), base topic \(options.topics.base)"
        )
        if options.broker.tls?.isInsecure == true {
            log.warning("mqtt.tls.insecure is on: anybody can pose as the broker")
        }
        let inbox = try systemCall { () throws(SystemError) in try Inbox() }
        let serviceManager = NotifySocket.fromEnvironment()
        ShardLoop(options: options, log: log, inbox: inbox, signals: signals, serviceManager: serviceManager).run()
        log.info("stopped")
    }

    private static func source(of loaded: LoadedConfiguration) -> String {
        for setting in loaded.redacted {
            if case .file(let name, _) = setting.source { return name }
        }
        return loaded.redacted.contains { $0.source == .commandLine } ? "by defaults and --set" : "by defaults"
    }

    /// Runs a call of the operating system; a failure ends the command.
    static func systemCall<Result>(_ body: () throws(SystemError) -> Result) throws(CommandFailure) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw CommandFailure(.unavailable, "\(error)")
        }
    }
}

extension Log {
    /// A log as the configuration wants it.
    convenience init(_ options: LogOptions) {
        let level: LogLine.Level
        switch options.level {
        case .error: level = .error
        case .warning: level = .warning
        case .info: level = .info
        case .debug, .trace: level = .debug
        }
        self.init(level: level, format: options.format == .json ? .json : .text)
    }
}
