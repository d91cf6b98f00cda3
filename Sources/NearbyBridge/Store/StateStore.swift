// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import NearbyCore
import SQLiteStore

/// What must survive a restart, in a file: the states of all streams, and the events that the broker may not have yet.
///
/// Everything that a turn of the loop changed is committed at once, before any of it is sent. States are kept as the
/// very payloads that are published, so a restart reads them as it reads those that the broker retains. Belongs to the
/// loop's thread.
final class StateStore {
    /// Why there is no store.
    enum Failure: Error, Equatable {
        /// Another bridge has the file.
        case inUse(path: String)
        /// It cannot be used at all.
        case unusable(path: String, reason: String)
    }

    /// What an earlier life left.
    struct Contents {
        var streams: [RestoredStream] = []
        var groups: [RestoredGroup] = []
        /// Events that the broker may not have, in their order.
        var events: [Journal.Event] = []
        /// What people decided.
        var membership = Membership()
        /// What requests had set.
        var options: [String] = []
        /// Events that grew too old meanwhile.
        var expired = 0
    }

    /// How many events are kept to be looked at.
    static let eventsKept: Int64 = 10_000
    /// How long a file that another process holds is waited for: a predecessor may be ending just now.
    static let patience: Int32 = 5_000

    /// The file.
    let path: String
    /// A damaged file was put aside under this name.
    let setAside: String?
    private let database: SQLiteDatabase
    private let upsertStream: SQLiteStatement
    private let deleteStream: SQLiteStatement
    private let removeAccessory: SQLiteStatement
    private let decideMember: SQLiteStatement
    private let upsertGrant: SQLiteStatement
    private let deleteGrant: SQLiteStatement
    private let deleteOptions: SQLiteStatement
    private let insertOption: SQLiteStatement
    private let insertEvent: SQLiteStatement
    private let stampEvent: SQLiteStatement
    private let acknowledgeEvent: SQLiteStatement
    private let trimEvents: SQLiteStatement
    private var isCheckpointDue = false
    private var quietSince: Instant?
    private var commits = 0

    /// Opens the store in a folder, which is made if it is not there.
    ///
    /// A damaged file is put aside and a new one begun.
    static func open(
        folder: String,
        name: String,
        synchronization: StateOptions.Synchronization,
        patience: Int32 = patience
    ) throws(Failure) -> StateStore {
        let path = path(folder: folder, name: name)
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .unusable(path: path, reason: "cannot make the folder \(folder): may this user write there?")
        }
        let mode: SQLiteDatabase.Synchronization = synchronization == .full ? .full : .normal
        do throws(SQLiteError) {
            return try StateStore(path, mode, patience, setAside: nil)
        } catch {
            guard error.kind == .corrupt else { throw failure(error, path) }
            let aside = "\(path).damaged-\(WallClock.now() / 1_000_000_000)"
            try putAside(path, as: aside)
            do throws(SQLiteError) {
                return try StateStore(path, mode, patience, setAside: aside)
            } catch {
                throw failure(error, path)
            }
        }
    }

    /// Where the store of a client identifier lies: whatever is not plain in it becomes an underscore.
    static func path(folder: String, name: String) -> String {
        let plain = name.map { character in
            character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
                ? character : "_"
        }
        return "\(folder)/\(String(plain.prefix(100))).sqlite"
    }

    private static func failure(_ error: SQLiteError, _ path: String) -> Failure {
        error.kind == .busy ? .inUse(path: path) : .unusable(path: path, reason: "\(error)")
    }

    private static func putAside(_ path: String, as aside: String) throws(Failure) {
        do {
            try FileManager.default.moveItem(atPath: path, toPath: aside)
        } catch {
            throw .unusable(path: path, reason: "it is damaged and cannot be renamed")
        }
        // A log that belongs to the damaged file would damage the new one.
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// The file that was opened.
    private let identity: FileIdentity?

    /// Whether somebody has deleted or replaced the file: what is written goes nowhere.
    var isFileGone: Bool { FileIdentity(of: path) != identity }

    private init(
        _ path: String,
        _ synchronization: SQLiteDatabase.Synchronization,
        _ patience: Int32,
        setAside: String?
    ) throws(SQLiteError) {
        self.path = path
        self.setAside = setAside
        database = try SQLiteDatabase(path: path, synchronization: synchronization, patience: patience)
        if let damage = try database.damage() {
            throw SQLiteError(kind: .corrupt, operation: "read \(path)", message: damage)
        }
        identity = FileIdentity(of: path)
        try StateSchema.migrate(database)
        upsertStream = try database.prepare(
            "INSERT INTO streams VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET state = ?3, session = ?4"
        )
        deleteStream = try database.prepare("DELETE FROM streams WHERE accessory = ?1 AND peer = ?2")
        removeAccessory = try database.prepare("DELETE FROM streams WHERE accessory = ?1")
        decideMember = try database.prepare("INSERT OR REPLACE INTO members VALUES (?1, ?2, ?3)")
        upsertGrant = try database.prepare("INSERT OR REPLACE INTO grants VALUES (?1, ?2, ?3)")
        deleteGrant = try database.prepare("DELETE FROM grants WHERE accessory = ?1 AND peer = ?2")
        deleteOptions = try database.prepare("DELETE FROM options")
        insertOption = try database.prepare("INSERT INTO options VALUES (?1)")
        insertEvent = try database.prepare(
            """
            INSERT OR REPLACE INTO events (accessory, peer, seq, payload, stamp, expires, acknowledged)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0)
            """
        )
        let one = "WHERE accessory = ?1 AND peer = ?2 AND seq = ?3"
        stampEvent = try database.prepare("UPDATE events SET payload = ?4, stamp = NULL \(one)")
        acknowledgeEvent = try database.prepare("UPDATE events SET acknowledged = 1 \(one)")
        trimEvents = try database.prepare(
            "DELETE FROM events WHERE number <= (SELECT max(number) FROM events) - \(Self.eventsKept)"
        )
    }

    // MARK: Writing

    /// Makes everything in the journal true at once, or nothing of it.
    func commit(_ journal: Journal, _ engine: borrowing BridgeEngine, _ wall: WallTime) throws(SQLiteError) {
        try database.execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            try write(journal, wall)
            for stream in journal.streams { try write(stream, engine, wall) }
            for group in journal.groups { try write(group: group, engine, wall) }
            for (group, peers) in journal.nearest {
                for peer in peers { try write(nearest: peer, inGroup: group, engine, wall) }
            }
            try database.execute("COMMIT")
        } catch {
            // Some failures have rolled back by themselves: then there is nothing to roll back.
            try? database.execute("ROLLBACK")
            throw error
        }
        isCheckpointDue = true
        quietSince = nil
        // Where there is never a quiet second the log must not grow for ever.
        commits += 1
        if commits % 4096 == 0 {
            try trimEvents.run()
            try database.checkpoint()
        }
    }

    private func write(_ journal: Journal, _ wall: WallTime) throws(SQLiteError) {
        for event in journal.events {
            let key = event.key
            try insertEvent.run(
                .text(key.accessory),
                .text(key.peer ?? ""),
                .integer(key.sequence),
                .blob(event.payload),
                event.stampAt.map { .integer(Int64($0)) } ?? .null,
                .integer(wall.unixNanoseconds(of: event.expiresAt) / 1_000_000)
            )
        }
        for (key, payload) in journal.stamped {
            try stampEvent.run(
                .text(key.accessory),
                .text(key.peer ?? ""),
                .integer(key.sequence),
                .blob(payload)
            )
        }
        for key in journal.acknowledged {
            try acknowledgeEvent.run(.text(key.accessory), .text(key.peer ?? ""), .integer(key.sequence))
        }
        for (accessory, isApproved, isBlocked) in journal.members {
            try decideMember.run(.text(accessory), .integer(isApproved ? 1 : 0), .integer(isBlocked ? 1 : 0))
        }
        for (accessory, peer, expiry) in journal.grants {
            if let expiry {
                try upsertGrant.run(.text(accessory), .text(peer ?? ""), .integer(expiry))
            } else {
                try deleteGrant.run(.text(accessory), .text(peer ?? ""))
            }
        }
        if let options = journal.options {
            try deleteOptions.run()
            for text in options { try insertOption.run(.text(text)) }
        }
        for accessory in journal.removed { try removeAccessory.run(.text(accessory)) }
        for (accessory, peer) in journal.forgotten { try deleteStream.run(.text(accessory), .text(peer)) }
    }

    private func write(
        _ stream: StreamID,
        _ engine: borrowing BridgeEngine,
        _ wall: WallTime
    ) throws(SQLiteError) {
        // A peer that was forgotten in the same turn has no state any more.
        guard let state = engine.state(of: stream) else { return }
        var json = JSONWriter()
        StatePayload.write(state, wall, into: &json)
        let statePayload = json.bytes
        json.removeAll()
        SessionPayload.write(of: stream, engine, wall, into: &json)
        try upsertStream.run(
            .text(state.accessory),
            .text(state.peer ?? ""),
            .blob(statePayload),
            .blob(json.bytes)
        )
    }

    private func write(
        group: String,
        _ engine: borrowing BridgeEngine,
        _ wall: WallTime
    ) throws(SQLiteError) {
        guard let state = engine.state(ofGroup: group) else { return }
        var json = JSONWriter()
        GroupPayload.write(state, wall, into: &json)
        try upsertStream.run(.text(EventIdentifier.group(group)), .text(""), .blob(json.bytes), .blob([]))
    }

    private func write(
        nearest peer: String,
        inGroup group: String,
        _ engine: borrowing BridgeEngine,
        _ wall: WallTime
    ) throws(SQLiteError) {
        guard let nearest = engine.nearest(of: peer, inGroup: group) else { return }
        var json = JSONWriter()
        GroupPayload.write(nearest, wall, into: &json)
        try upsertStream.run(.text(EventIdentifier.group(group)), .text(peer), .blob(json.bytes), .blob([]))
    }

    /// Does what can wait, a second after the last change: moves the log into the file, and drops the oldest events.
    func restIfDue(at now: Instant) throws(SQLiteError) {
        guard isCheckpointDue else { return }
        guard let quietSince else { return self.quietSince = now }
        guard quietSince.duration(to: now) >= .seconds(1) else { return }
        isCheckpointDue = false
        try trimEvents.run()
        try database.checkpoint()
    }

    /// Lets go of events that the broker may not have: it is too late for them.
    func giveUpEvents() throws(SQLiteError) {
        try database.execute("UPDATE events SET acknowledged = 1 WHERE acknowledged = 0")
    }

    // MARK: Reading

    /// Reads what an earlier life left, at a moment; times are told by the wall clock then.
    func contents(at now: Instant, _ wall: WallTime, eventExpiry: Duration) throws(SQLiteError) -> Contents {
        var contents = Contents()
        try database.prepare("SELECT accessory, peer, state, session FROM streams").forEachRow { row in
            let peer = row.text(1).isEmpty ? nil : row.text(1)
            if let group = EventKey(accessory: row.text(0), peer: nil, sequence: 0).group {
                return RetainedState.add(row.bytes(2), ofGroup: group, peer, wall, to: &contents.groups)
            }
            guard var stream = RetainedState.read(row.bytes(2), accessory: row.text(0), peer: peer, wall) else {
                return
            }
            stream.session = RetainedState.readSession(row.bytes(3))
            contents.streams.append(stream)
        }
        try database.prepare("SELECT accessory, approved, blocked FROM members").forEachRow { row in
            if row.integer(1) != 0 { contents.membership.approved.insert(row.text(0)) }
            if row.integer(2) != 0 { contents.membership.blocked.insert(row.text(0)) }
        }
        try database.prepare("SELECT accessory, peer, expires FROM grants").forEachRow { row in
            contents.membership.grants[row.text(0), default: [:]][row.text(1)] = row.integer(2)
        }
        try database.prepare("SELECT text FROM options").forEachRow { contents.options.append($0.text(0)) }
        let pending = "SELECT accessory, peer, seq, payload, stamp, expires FROM events WHERE acknowledged = 0"
        try database.prepare("\(pending) ORDER BY number").forEachRow { row in
            let expiry = wall.instant(ofUnixNanoseconds: row.integer(5).multipliedReportingOverflow(by: 1_000_000).0)
            // A clock that was set back must not make an event live longer than it may.
            let expiresAt = min(expiry, now.advanced(by: eventExpiry))
            guard expiresAt > now else { return contents.expired += 1 }
            let payload = row.bytes(3)
            let stamp = row.isNull(4) ? nil : Int(row.integer(4))
            if let stamp, !(0...payload.count - Timestamp.length).contains(stamp) { return }
            contents.events.append(
                Journal.Event(
                    key: EventKey(
                        accessory: row.text(0),
                        peer: row.text(1).isEmpty ? nil : row.text(1),
                        sequence: row.integer(2)
                    ),
                    payload: payload,
                    stampAt: stamp,
                    expiresAt: expiresAt
                )
            )
        }
        // What expired is not looked at again at every start.
        try database.execute(
            "UPDATE events SET acknowledged = 1 WHERE expires < \(wall.unixNanoseconds(of: now) / 1_000_000)"
        )
        return contents
    }
}

extension StateStore.Failure {
    /// What is wrong, where, and what to do.
    var text: String {
        switch self {
        case .inUse(let path):
            "\(path) is in use by another bridge: end that one, or give this one a state.path of its own"
        case .unusable(let path, let reason):
            "the store \(path) cannot be used: \(reason). Mend it, name another state.path, or none"
        }
    }
}
