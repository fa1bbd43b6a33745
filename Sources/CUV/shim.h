#pragma once
#include <fcntl.h>
#include <signal.h>
#include <uv.h>

// What Swift cannot call: a variadic function and a macro that casts an integer to a function.

/// A second descriptor for the same socket, closed on exec; -1 with errno if there is none left.
static inline int cuv_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

/// A write to a socket whose peer is gone then gives EPIPE instead of ending the process.
static inline void cuv_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }
