// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import SQLiteStore
import TestSupport
import Testing

struct SQLiteDatabaseTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file("test.sqlite") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(patience: Int32 = 0) throws(SQLiteError) -> SQLiteDatabase {
        try SQLiteDatabase(path: path, synchronization: .normal, patience: patience)
    }

    @Test func `what was committed is there after the file is opened again`() throws {
        do {
            let database = try open()
            try database.execute("CREATE TABLE t (a INTEGER, b TEXT, c BLOB, d TEXT)")
            let insert = try database.prepare("INSERT INTO t VALUES (?1, ?2, ?3, ?4)")
            try insert.run(.integer(.min), .text("ä\u{0}b"), .blob([0, 255]), .null)
            try insert.run(.integer(7), .text(""), .blob([]), .text("x"))
        }
        var rows: [String] = []
        let database = try open()
        try database.prepare("SELECT a, b, c, d FROM t ORDER BY a").forEachRow { row in
            rows.append("\(row.integer(0)) \(row.bytes(1)) \(row.bytes(2)) \(row.isNull(3)) \(row.text(3))")
        }
        #expect(rows == ["\(Int64.min) [195, 164, 0, 98] [0, 255] true ", "7 [] [] false x"])
    }

    @Test func `a transaction that fails changes nothing`() throws {
        let database = try open()
        try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
        #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try database.execute("INSERT INTO t VALUES (1)")
                try database.execute("INSERT INTO t VALUES (1)")
            }
        }
        var count: Int64 = -1
        try database.prepare("SELECT count(*) FROM t").forEachRow { count = $0.integer(0) }
        #expect(count == 0)
        try database.transaction { () throws(SQLiteError) in try database.execute("INSERT INTO t VALUES (1)") }
        try database.prepare("SELECT count(*) FROM t").forEachRow { count = $0.integer(0) }
        #expect(count == 1)
    }

    @Test func `a statement is used again after it failed`() throws {
        let database = try open()
        try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
        let insert = try database.prepare("INSERT INTO t VALUES (?1)")
        try insert.run(.integer(1))
        #expect(throws: SQLiteError.self) { try insert.run(.integer(1)) }
        try insert.run(.integer(2))
        // A value that is left out is not the one of the last time.
        try insert.run()
        var all: [Int64] = []
        try database.prepare("SELECT a FROM t ORDER BY a").forEachRow { all.append($0.integer(0)) }
        #expect(all == [1, 2, 3])
    }

    @Test func `a file has one owner`() throws {
        let first = try open()
        #expect(throws: SQLiteError.self) { try open() }
        let error = #expect(throws: SQLiteError.self) { try open() }
        #expect(error?.kind == .busy)
        withExtendedLifetime(first) {}
    }

    @Test func `a file that is no database is damaged`() throws {
        try directory.write(Array(repeating: 0x41, count: 8192), to: "test.sqlite")
        let error = #expect(throws: SQLiteError.self) { try open() }
        #expect(error?.kind == .corrupt)
    }

    @Test func `damage in the middle of a file is found`() throws {
        do {
            let database = try open()
            try database.execute("CREATE TABLE t (a TEXT UNIQUE)")
            let insert = try database.prepare("INSERT INTO t VALUES (?1)")
            for number in 0..<2000 { try insert.run(.text("row \(number)")) }
            #expect(try database.damage() == nil)
            try database.checkpoint()
        }
        var bytes = Array(directory.bytes(of: "test.sqlite"))
        for index in bytes.indices where index >= 8192 && index < 24_576 { bytes[index] ^= 0x5A }
        try directory.write(bytes, to: "test.sqlite")
        let database = try open()
        #expect(try database.damage() != nil)
    }

    @Test func `a folder that is not there is said`() {
        let error = #expect(throws: SQLiteError.self) {
            try SQLiteDatabase(path: "/nowhere/at/all.sqlite", synchronization: .full, patience: 0)
        }
        #expect(error?.kind == .notWritable)
        #expect(error?.description.contains("/nowhere/at/all.sqlite") == true)
    }

    @Test func `a full disk is said, undoes the whole transaction, and is no more when there is room`() throws {
        let database = try open()
        try database.execute("CREATE TABLE t (a BLOB)")
        try database.execute("PRAGMA max_page_count = 1")
        let row: [UInt8] = Array(repeating: 7, count: 50_000)
        func insert() throws(SQLiteError) {
            try database.transaction { () throws(SQLiteError) in
                try database.execute("INSERT INTO t VALUES ('first')")
                try database.prepare("INSERT INTO t VALUES (?1)").run(.blob(row))
            }
        }
        let error = #expect(throws: SQLiteError.self) { try insert() }
        #expect(error?.kind == .full)
        var rows = 0
        try database.prepare("SELECT a FROM t").forEachRow { _ in rows += 1 }
        #expect(rows == 0)
        try database.execute("PRAGMA max_page_count = 1000000")
        try insert()
        try database.prepare("SELECT a FROM t").forEachRow { _ in rows += 1 }
        #expect(rows == 2)
    }

    @Test func `a mistake in a statement is an error, never a trap`() throws {
        let database = try open()
        for sql in ["", "SELECT", "SELECT * FROM nowhere", "-- nothing", "INSERT"] {
            #expect(throws: SQLiteError.self) { try database.prepare(sql) }
        }
        let select = try database.prepare("SELECT ?1")
        #expect(throws: SQLiteError.self) { try select.run(.integer(1), .integer(2)) }
        try select.run(.integer(1))
    }

    @Test func `checkpoints move everything, and the version is kept`() throws {
        let database = try open()
        #expect(try database.userVersion() == 0)
        try database.execute("PRAGMA user_version = 5; CREATE TABLE t (a)")
        #expect(try database.checkpoint())
        #expect(try database.userVersion() == 5)
    }
}
