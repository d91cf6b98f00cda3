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
        let store = try openStore(options, log)
        ShardLoop(options: options, log: log, inbox: inbox, signals: signals, store: store).run()
        log.info("stopped")
    }

    /// Opens the store; a bridge whose disk is broken still bridges, but two bridges must not share one store.
    private static func openStore(_ options: BridgeOptions, _ log: Log) throws(CommandFailure) -> StateStore? {
        guard let folder = options.stateFolder else {
            log.info("no store: after a restart the broker's retained topics tell what was")
            return nil
        }
        let mode = options.state?.synchronization ?? .normal
        do throws(StateStore.Failure) {
            let store = try StateStore.open(folder: folder, name: options.clientIdentifier, synchronization: mode)
            if let aside = store.setAside {
                log.error("\(store.path) is damaged: kept as \(aside), a new one is begun")
            }
            log.info("store \(store.path)")
            return store
        } catch {
            if case .inUse = error { throw CommandFailure(.unavailable, error.text) }
            log.error("\(error.text). Going on without")
            return nil
        }
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
