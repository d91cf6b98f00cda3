// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import SQLiteStore

extension ShardLoop {
    /// How long a store that cannot write is left alone.
    private static let storeRetry: Duration = .seconds(1)
    /// How often is looked whether the file is still there.
    private static let storeLook: Duration = .seconds(1)
    /// How long a store that cannot be opened is left alone.
    private static let storeOpening: Duration = .seconds(10)

    /// What a test that has the process die may count: turns with something to tell or to keep.
    var news: FaultPoint.News {
        guard outbox.count > 0 || !performer.journal.isEmpty else { return .nothing }
        return engine.counters.events > 0 ? .event : .birth
    }

    /// Reads what an earlier life left: states for the start, and events that the broker may not have.
    ///
    /// Those are sent before anything else, with the numbers and the content that they had.
    func readStore() {
        guard let store else { return }
        do throws(SQLiteError) {
            let contents = try store.contents(at: now, .current(), eventExpiry: options.eventExpiry)
            storedStreams = contents.streams
            storedGroups = contents.groups
            engine.handle(.members(contents.membership), at: now, into: &effects)
            restoreOptions(contents.options)
            for event in contents.events {
                let hasPeers = contents.streams.contains { $0.accessory == event.key.accessory && $0.peer != nil }
                if let prefix = options.fencePrefix, event.key.group == nil,
                    event.key.peer != nil || !hasPeers,
                    let fence = OutgoingMessage(fenceEventOf: event, below: prefix)
                {
                    outbox.append(fence)
                }
                outbox.append(OutgoingMessage(event, options.topics))
            }
            health.eventsExpiredBefore = contents.expired
            if !contents.events.isEmpty || contents.expired > 0 {
                log.info(
                    "\(contents.events.count) events of an earlier life may not have been delivered and are sent again"
                        + (contents.expired > 0 ? ", \(contents.expired) have grown too old" : "")
                )
            }
        } catch {
            storeFailed(error)
        }
    }

    private func restoreOptions(_ texts: [String]) {
        guard !texts.isEmpty else { return }
        let dropped = configuration.restore(texts)
        for text in dropped {
            log.warning("\(text), set by a request before the restart, is dropped: it fits no more", .configuration)
        }
        if !dropped.isEmpty { performer.journal.set(configuration.runtime.texts) }
        log.info("\(texts.count - dropped.count) options that requests had set are in effect again", .configuration)
        apply()
    }

    /// What the store holds of an earlier life, once.
    func takeStoredStreams() -> [RestoredStream] {
        defer { storedStreams = [] }
        return storedStreams
    }

    /// The same of groups.
    func takeStoredGroups() -> [RestoredGroup] {
        defer { storedGroups = [] }
        return storedGroups
    }

    /// Commits what changed; what cannot be committed now is tried again later and sent nevertheless.
    ///
    /// A bridge whose disk is full still stops forklifts.
    func commit() {
        guard let store else { return openStoreIfDue() }
        let now = now
        if nextStoreLook <= now {
            nextStoreLook = now.advanced(by: Self.storeLook)
            if store.isFileGone {
                log.error("\(store.path) was deleted or replaced under the bridge: begun anew")
                return renewStore()
            }
        }
        guard nextCommit <= now else { return }
        do throws(SQLiteError) {
            guard !performer.journal.isEmpty else { return try store.restIfDue(at: now) }
            try store.commit(performer.journal, engine, .current())
            performer.journal.removeAll()
            if health.storeFailures > 0, isStoreFailing { log.info("the store works again: \(store.path)") }
            isStoreFailing = false
        } catch {
            storeFailed(error)
        }
    }

    private func storeFailed(_ error: SQLiteError) {
        health.storeFailures += 1
        nextCommit = now.advanced(by: Self.storeRetry)
        if !isStoreFailing {
            log.error("\(error): events go on, but a restart now would fall back on the broker's retained topics")
        }
        isStoreFailing = true
        if error.kind == .corrupt { renewStore() }
    }

    /// The file is damaged, or gone: begins a new one with everything that is known; a damaged one is put aside.
    private func renewStore() {
        guard let path = store?.path, let folder = options.stateFolder else { return }
        // The file is locked as long as the old store lives.
        store = nil
        do throws(StateStore.Failure) {
            let renewed = try openStore(in: folder)
            if let aside = renewed.setAside { log.error("\(path) is damaged: kept as \(aside), a new one is begun") }
            adopt(renewed)
        } catch {
            log.error("\(error.text): going on without a store until it works")
            performer.journal = Journal()
            openStoreLater()
        }
    }

    /// Tries again in a while: the disk may be there then, or have room.
    func openStoreLater() {
        nextOpening = now.advanced(by: Self.storeOpening)
    }

    private func openStoreIfDue() {
        guard let due = nextOpening, due <= now, let folder = options.stateFolder else { return }
        do throws(StateStore.Failure) {
            let opened = try openStore(in: folder)
            do throws(SQLiteError) {
                // What an earlier life could not send is told by the states of this one.
                try opened.giveUpEvents()
            } catch {
                return openStoreLater()
            }
            adopt(opened)
            commit()
            if !isStoreFailing { log.info("the store works now: \(opened.path)") }
        } catch {
            openStoreLater()
        }
    }

    /// Opens it without waiting for anybody: the loop has other things to do.
    private func openStore(in folder: String) throws(StateStore.Failure) -> StateStore {
        try StateStore.open(
            folder: folder,
            name: options.clientIdentifier,
            synchronization: options.state?.synchronization ?? .normal,
            patience: 0
        )
    }

    /// Takes a store into use, and gives it everything that is known.
    private func adopt(_ opened: StateStore) {
        store = opened
        nextOpening = nil
        performer.journal.isKept = true
        for index in 0..<engine.accessoryCount {
            for stream in engine.streams(of: AccessoryIndex(index)) { performer.journal.change(stream) }
        }
        for group in engine.groups {
            performer.journal.change(group: group)
            for peer in engine.peers(ofGroup: group) { performer.journal.change(nearest: peer, inGroup: group) }
        }
        for name in engine.membership.approved {
            performer.journal.decide(name, isApproved: true, isBlocked: false)
        }
        for name in engine.membership.blocked {
            performer.journal.decide(name, isApproved: false, isBlocked: true)
        }
        performer.journal.set(configuration.runtime.texts)
        nextCommit = now
    }
}
