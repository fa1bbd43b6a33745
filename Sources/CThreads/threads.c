#include "CThreads.h"

#include <stdatomic.h>

static atomic_uint count;
/// One more than the number; 0 until the thread asks.
static _Thread_local unsigned number;

unsigned cthreads_number(void) {
  if (number == 0) number = atomic_fetch_add(&count, 1) + 1;
  return number - 1;
}
