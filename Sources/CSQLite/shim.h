#include <sqlite3.h>

/// Lets SQLite count no memory: the counters are behind one lock for all connections. To be called before any other function.
static inline int hibachi_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
