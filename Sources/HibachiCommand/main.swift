#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

exit(await run(Array(CommandLine.arguments.dropFirst())))
