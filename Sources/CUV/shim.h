#pragma once
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <uv.h>
#if defined(__linux__)
#include <sys/sendfile.h>
#elif defined(__APPLE__)
#include <sys/socket.h>
#include <sys/uio.h>
#endif

// What Swift cannot call: a variadic function and a macro that casts an integer to a function; and what differs by system.

/// A second descriptor for the same socket, closed on exec; -1 with errno if there is none left.
static inline int cuv_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

/// A write to a socket whose peer is gone then gives EPIPE instead of ending the process.
static inline void cuv_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }

/// Gives bytes of a file to a socket without taking them into the memory of the process (uv_fs_sendfile copies, and waits for the
/// peer). Returns how many the socket took, or a negative status of libuv.
static inline int64_t cuv_send_file(int socket, int file, int64_t offset, size_t count) {
#if defined(__linux__)
  off_t from = offset;
  ssize_t sent;
  do sent = sendfile(socket, file, &from, count);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? uv_translate_sys_error(errno) : sent;
#elif defined(__APPLE__)
  off_t sent = (off_t)count;
  if (sendfile(file, socket, offset, &sent, NULL, 0) < 0 && sent == 0) return uv_translate_sys_error(errno);
  return sent;
#else
  (void)socket, (void)file, (void)offset, (void)count;
  return UV_EAGAIN;
#endif
}
