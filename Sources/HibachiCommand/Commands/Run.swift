import Hibachi
import NetIO

/// Does what the arguments ask for; `arguments` begin with the name of the program.
///
/// - Returns: the exit status: 0; 1 if it could not be done; 2 if the arguments were not understood; of `exec` that of the command.
nonisolated func run(_ arguments: [String]) async -> Int32 {
  let parser = CommandLineParser(environment: ProcessEnvironment.variable) {
    () throws(UsageError) in
    try FirebaseProject.find(from: FileSystem.currentFolder) { path in
      try? FileSystem.contents(of: path, limit: 1 << 20)
    }
  }
  do {
    switch try parser.parse(arguments.first ?? "hibachi", Array(arguments.dropFirst())) {
    case .help: StandardStream.output.write(helpText)
    case .version(let text): StandardStream.output.write(text + "\n")
    case .start(let options): try await start(options)
    case .exec(let command, let configuration): return try await exec(command, configuration)
    case .checkRules(let path): return try check(RulesFile(reading: path))
    case .clear(let location, let database): try await clear(location, database)
    case .status(let location): try await status(location)
    case .healthcheck(let location): try await healthcheck(location)
    }
    return 0
  } catch let error as UsageError {
    StandardStream.error.write(error.message + "\n")
    return error.status
  } catch {
    StandardStream.error.write("\(error)\n")
    return 1
  }
}

/// Prints what the compiler says.
nonisolated private func check(_ rules: RulesFile) -> Int32 {
  for line in rules.lines { StandardStream.output.write(line + "\n") }
  return rules.isValid ? 0 : 1
}
