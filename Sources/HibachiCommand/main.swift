#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// `await` here would leave the main thread to the system's queue, which ends that thread: in a static executable this
// sorts the unwinding tables of the whole program first, 20 ms. So the main thread only waits. The task ends with the
// process.
Task.detached {
  exit(await run(CommandLine.arguments))
}
while true { pause() }
