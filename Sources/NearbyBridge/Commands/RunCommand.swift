// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// `nearby-bridge run`: the bridge.
enum RunCommand {
    /// Runs the bridge until a signal ends it.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        // Before any thread exists, so that every thread leaves the signals to the loop.
        let signals = try systemCall { () throws(SystemError) in try Signals() }
        let live = try ConfigurationArguments.live(arguments)
        let broker = live.loaded.configuration.broker
        let log = Log(live.loaded.configuration.log)
        log.info(
            "nearby-bridge \(Version.text), configuration \(live.loaded.origin), broker "
                + "\(broker.host):\(broker.port)\(broker.tls.isEnabled ? " (TLS)" : ""), "
                + "base topic \(broker.baseTopic)"
        )
        if broker.tls.isEnabled, broker.tls.isInsecure {
            log.warning("mqtt.tls.insecure is on: anybody can pose as the broker", .mqtt)
        }
        let inbox = try systemCall { () throws(SystemError) in try Inbox() }
        let store = try openStore(live.loaded, log)
        ShardLoop(
            configuration: live,
            log: log,
            inbox: inbox,
            signals: signals,
            store: store,
            serviceManager: NotifySocket.fromEnvironment()
        ).run()
        log.info("stopped")
    }

    /// Opens the store; a bridge whose disk is broken still bridges, but two bridges must not share one store.
    private static func openStore(_ loaded: LoadedConfiguration, _ log: Log) throws(CommandFailure) -> StateStore? {
        let options = BridgeOptions(loaded)
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

    /// Runs a call of the operating system; a failure ends the command.
    static func systemCall<Result>(_ body: () throws(SystemError) -> Result) throws(CommandFailure) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw CommandFailure(.unavailable, "\(error)")
        }
    }
}
