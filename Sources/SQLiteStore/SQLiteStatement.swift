// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// A prepared statement, to be run any number of times.
///
/// Belongs to the thread of its database and keeps that open.
@safe public final class SQLiteStatement {
    private let database: SQLiteDatabase
    private let handle: OpaquePointer
    private let sql: String

    init(_ sql: String, in database: SQLiteDatabase) throws(SQLiteError) {
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(database.handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK, let statement = unsafe statement else {
            throw database.failure(code == SQLITE_OK ? SQLITE_MISUSE : code, "prepare a statement")
        }
        self.database = database
        self.sql = sql
        unsafe handle = statement
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Runs the statement to its end with these values for `?1`, `?2` and so on; rows are dropped.
    public func run(_ values: SQLiteValue...) throws(SQLiteError) {
        try bind(values)
        defer { reset() }
        while try step() {}
    }

    /// Runs the statement and hands every row to `body`, which may use it until it returns.
    public func forEachRow(_ values: SQLiteValue..., body: (borrowing Row) -> Void) throws(SQLiteError) {
        try bind(values)
        defer { reset() }
        while try step() { body(unsafe Row(statement: handle)) }
    }

    private func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        for (offset, value) in values.enumerated() {
            let index = Int32(clamping: offset + 1)
            let code: Int32
            switch value {
            case .null: unsafe code = sqlite3_bind_null(handle, index)
            case .integer(let number): unsafe code = sqlite3_bind_int64(handle, index, number)
            case .text(let text):
                unsafe code = nearby_bind_text(handle, index, text, Int32(clamping: text.utf8.count))
            case .blob(let bytes):
                code = unsafe bytes.withUnsafeBufferPointer { buffer in
                    unsafe nearby_bind_blob(handle, index, buffer.baseAddress, Int32(clamping: buffer.count))
                }
            }
            guard code == SQLITE_OK else {
                reset()
                throw database.failure(code, "bind a value")
            }
        }
    }

    /// Whether there is a row.
    private func step() throws(SQLiteError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.failure(code, "run a statement")
        }
    }

    private func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    /// One row of a result.
    @safe public struct Row: ~Copyable {
        private let statement: OpaquePointer

        fileprivate init(statement: OpaquePointer) {
            unsafe self.statement = statement
        }

        /// The integer of a column, counted from 0; 0 for NULL.
        public func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

        /// Whether a column, counted from 0, is NULL.
        public func isNull(_ column: Int32) -> Bool {
            unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
        }

        /// The bytes of a column, counted from 0; of a text its UTF-8, none for NULL.
        public func bytes(_ column: Int32) -> [UInt8] {
            guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
            let count = Int(unsafe sqlite3_column_bytes(statement, column))
            return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
        }

        /// The text of a column, counted from 0; empty for NULL.
        public func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
    }
}
