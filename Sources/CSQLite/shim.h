// nearby-bridge · SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift does not import: SQLite copies the bytes before these return.

static inline int nearby_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

static inline int nearby_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}
