// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import SQLiteStore

/// The layout of the store's file, and the way there from every earlier one.
enum StateSchema {
    /// What each version adds to the one before; never changed once released.
    private static let steps = [
        """
        CREATE TABLE streams (
            accessory TEXT NOT NULL, peer TEXT NOT NULL, state BLOB NOT NULL, session BLOB NOT NULL,
            PRIMARY KEY (accessory, peer)
        ) WITHOUT ROWID;
        CREATE TABLE events (
            number INTEGER PRIMARY KEY AUTOINCREMENT, accessory TEXT NOT NULL, peer TEXT NOT NULL, seq INTEGER NOT NULL,
            payload BLOB NOT NULL, stamp INTEGER, expires INTEGER NOT NULL, acknowledged INTEGER NOT NULL,
            UNIQUE (accessory, peer, seq)
        );
        CREATE TABLE members (
            accessory TEXT PRIMARY KEY, approved INTEGER NOT NULL, blocked INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE options (text TEXT NOT NULL);
        CREATE INDEX pending ON events (number) WHERE acknowledged = 0;
        """,
        """
        CREATE TABLE grants (
            accessory TEXT NOT NULL, peer TEXT NOT NULL, expires INTEGER NOT NULL, PRIMARY KEY (accessory, peer)
        ) WITHOUT ROWID;
        """,
    ]

    /// The newest layout.
    static var version: Int64 { Int64(steps.count) }

    /// Brings a file to the newest layout, all at once or not at all.
    ///
    /// A file of a newer program is refused as if it were damaged: it is put aside, not guessed at.
    static func migrate(_ database: SQLiteDatabase) throws(SQLiteError) {
        let present = try database.userVersion()
        guard present <= version else {
            throw SQLiteError(
                kind: .corrupt,
                operation: "read the store",
                message: "its layout \(present) is newer than this program's \(version)"
            )
        }
        for (index, step) in steps.enumerated() where Int64(index) >= present {
            try database.transaction { () throws(SQLiteError) in
                try database.execute(step)
                try database.execute("PRAGMA user_version = \(index + 1)")
            }
        }
    }
}
