#include <sqlite3.h>

/// Binds a copy of the bytes; `SQLITE_TRANSIENT` is a cast that Swift does not import.
static inline int hibachi_bind_copy(sqlite3_stmt *statement, int index, const void *bytes,
                                    sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
