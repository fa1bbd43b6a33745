#pragma once

/// The number of the calling thread: 0 for the first that asks, then 1 and so on.
unsigned cthreads_number(void);
