// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// A database file that this process alone uses.
///
/// The file is locked from the first access until the object goes away, so that two processes cannot write one store.
/// Belongs to one thread at a time.
@safe public final class SQLiteDatabase {
    /// How much a commit survives.
    public enum Synchronization: String, Sendable {
        /// The end of the process; after a power cut the last commits may be missing, never a part of one.
        case normal = "NORMAL"
        /// A power cut too; each commit waits for the disk.
        case full = "FULL"
    }

    let handle: OpaquePointer

    /// Opens a file, which is made if it is not there, and locks it.
    ///
    /// Waits for `patience` milliseconds if another process holds it, then throws an error of kind `busy`.
    public init(path: String, synchronization: Synchronization, patience: Int32) throws(SQLiteError) {
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &connection, flags, nil)
        guard let connection = unsafe connection else {
            throw SQLiteError(code: code, operation: "open \(path)", message: "out of memory")
        }
        unsafe handle = connection
        guard code == SQLITE_OK else {
            // The object is complete: deinit closes the connection.
            throw failure(code, "open \(path)")
        }
        unsafe sqlite3_busy_timeout(connection, patience)
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = \(synchronization.rawValue)")
        // Checkpoints are made when there is time for them.
        try execute("PRAGMA wal_autocheckpoint = 0")
        try execute("PRAGMA cache_size = -1024")
        // The lock is taken now, not with the first write.
        try execute("BEGIN EXCLUSIVE")
        try execute("COMMIT")
    }

    deinit {
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs statements that take no values and whose rows nobody wants.
    public func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, "run \(sql.prefix(60))") }
    }

    /// Prepares a statement.
    public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        try SQLiteStatement(sql, in: self)
    }

    /// Everything that `body` does becomes true at once, or, if it throws, nothing of it.
    public func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            try body()
            try execute("COMMIT")
        } catch {
            // Some failures have rolled back by themselves: then there is nothing to roll back.
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// The number that the file's owner gives its layout; 0 in a new file.
    public func userVersion() throws(SQLiteError) -> Int64 {
        var version: Int64 = 0
        try prepare("PRAGMA user_version").forEachRow { version = $0.integer(0) }
        return version
    }

    /// Moves what was committed from the log into the file.
    ///
    /// - Returns: Whether all of it was moved, so that the log is used from its beginning again.
    @discardableResult
    public func checkpoint() throws(SQLiteError) -> Bool {
        var logged: Int32 = 0
        var moved: Int32 = 0
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &logged, &moved)
        guard code == SQLITE_OK else { throw failure(code, "write the log into the file") }
        return logged == moved
    }

    /// What SQLite finds wrong with the file; `nil` if it is sound.
    public func damage() throws(SQLiteError) -> String? {
        var answer: String?
        try prepare("PRAGMA quick_check(1)").forEachRow { answer = $0.text(0) }
        return answer == "ok" ? nil : answer ?? "no answer"
    }

    func failure(_ code: Int32, _ operation: String) -> SQLiteError {
        let message = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? "no message"
        return SQLiteError(code: code, operation: operation, message: message)
    }
}
