import ArgumentParser
import BenchAnalysis
import BenchEngine
import BenchResults
import Foundation
import MenuModel

extension BenchApp {
  /// Parses the command line, runs the command and exits with its status.
  public static func main() {
    Console.holdClosedDescriptors()
    Console.ignoreClosedPipes()
    do {
      let typed = try typedArguments()
      try ResourceLimits.ensure(for: typed)
      try suite.checkNames(for: typed)
      let command = try Bench<Self>.parseAsRoot(typed)
      if let command = command as? any AsyncParsableCommand { finish(command) }
      var immediate = command
      try immediate.run()
    } catch {
      fail(error)
    }
  }

  private static func fail(_ error: any Error) -> Never {
    exit(Console.report(error, of: Bench<Self>.self))
  }

  /// The command line without the program's name. On Linux, Swift reads it from `/proc`.
  private static func typedArguments() throws -> [String] {
    guard !CommandLine.arguments.isEmpty else {
      throw CLIError(
        "the command line cannot be read: there is no /proc",
        help: "mount it: mount -t proc proc /proc",
        status: .failed)
    }
    return Array(CommandLine.arguments.dropFirst())
  }

  /// Runs a command that waits for workers, while the main thread handles signals.
  private static func finish(_ command: any AsyncParsableCommand) -> Never {
    let once = UncheckedCommand(command: command)
    Task {
      do {
        var command = once.command
        try await command.run()
        exit(0)
      } catch {
        fail(error)
      }
    }
    dispatchMain()
  }
}

extension BenchApp where Document == Menu {
  /// Commands that generate, import and describe menus, and one that starts a new bench package.
  public static var documentCommands: [any ParsableCommand.Type] {
    [GenerateCommand.self, ImportCommand.self, ShapeCommand.self, InitCommand.self]
  }
}

extension Suite {
  /// Refuses a suite with a name that is ambiguous or cannot be typed, since it cannot be measured.
  ///
  /// - Parameter typed: The command line. Workers skip the check, since their parent has done it.
  func checkNames(for typed: [String]) throws {
    guard !typed.areWorkers, let misnamed else { return }
    throw CLIError(
      "\(misnamed) in this program's suite",
      help: "give each its own name, without commas or colons, and not 'all'", status: .failed)
  }
}

extension [String] {
  /// Whether these are the arguments of a worker process.
  fileprivate var areWorkers: Bool { ["worker", "cold"].contains(first) }
}

/// Carries a parsed command to the task that runs it, the only place that uses it.
private struct UncheckedCommand: @unchecked Sendable {
  let command: any AsyncParsableCommand
}

struct Bench<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "bench",
      abstract: "Measures what each way to store an app's menu costs: time, memory and I/O.",
      discussion: """
        Start with: bench run --backend json --menu large
        Reports go to standard output, progress and notes to standard error.

        Terms of options and reports:
          cell          A backend with a menu, under a workload, at a durability.
          block         A fresh process that takes many samples of one cell.
          shape         The counts and the seed that a menu is generated from.
          counts        Allocations, bytes and the like, equal in all runs of a build.
          interval      The 95 % confidence range of a median. It needs six blocks.

        Exit status: 0 done, 1 failed, 2 something became worse, 3 a cell could not be measured or \
        is missing, 5 nothing to compare with, 7 inconclusive (of a gate with --strict), 64 wrong \
        command line.
        """,
      version: ToolInfo.version,
      subcommands: [
        RunCommand<App>.self, CompareCommand<App>.self, ScaleCommand<App>.self,
        ProfileCommand<App>.self,
        ReportCommand.self, DiffCommand.self, MergeCommand.self, GateCommand<App>.self,
        BaselineCommand.self, HistoryCommand.self, ListCommand<App>.self, DoctorCommand.self,
      ] + App.documentCommands + [WorkerCommand<App>.self, ColdCommand<App>.self])
  }
}

/// The files and address space that the process needs from the system.
enum ResourceLimits {
  /// The number of open files: starting workers needs a few dozen.
  private static let files: rlim_t = 64
  /// Bytes of address space. Swift ends the process if memory is refused. Reading a worker's output
  /// needs some 0.3 GB of addresses, in addition to libraries and threads.
  private static let addresses: rlim_t = 1_000_000_000

  /// Raises the limit of open files if needed. Refuses if files or addresses are too few.
  ///
  /// - Parameter typed: The command line. Workers skip this: their parent sets their limits.
  static func ensure(for typed: [String]) throws {
    guard !typed.areWorkers else { return }
    try ensureFiles()
    guard let limit = limit(RLIMIT_AS), limit.rlim_cur < addresses else { return }
    let (found, need) = (Double(limit.rlim_cur), Double(addresses))
    throw CLIError(
      "only \(Wording.bytes(found)) of address space may be used, and bench needs up to"
        + " \(Wording.bytes(need))",
      help: "raise the limit: ulimit -v unlimited. --memory-limit limits the workers",
      status: .failed)
  }

  private static func ensureFiles() throws {
    guard var limit = limit(RLIMIT_NOFILE), limit.rlim_cur < files else { return }
    let found = limit.rlim_cur
    limit.rlim_cur = min(limit.rlim_max, 1_024)
    guard setrlimit(resource(RLIMIT_NOFILE), &limit) == 0, limit.rlim_cur >= files else {
      throw CLIError(
        "only \(found) files may be open at once, and starting workers needs \(files)",
        help: "raise the limit: ulimit -n 1024", status: .failed)
    }
  }

  #if canImport(Glibc)
    private typealias Resource = __rlimit_resource
    private static func resource(_ which: Resource) -> __rlimit_resource_t {
      __rlimit_resource_t(which.rawValue)
    }
  #else
    private typealias Resource = Int32
    private static func resource(_ which: Resource) -> Int32 { which }
  #endif

  /// Returns a limit, or nil if the system does not report it.
  private static func limit(_ which: Resource) -> rlimit? {
    var limit = rlimit()
    return getrlimit(resource(which), &limit) == 0 ? limit : nil
  }
}
