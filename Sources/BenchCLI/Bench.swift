import ArgumentParser
import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import MenuModel

extension BenchApp {
  /// Parses the command line, runs the command and exits with its status.
  public static func main() {
    Console.holdClosedDescriptors()
    Console.ignoreSignalsOfWriting()
    do {
      // On Linux, Swift reads them from /proc.
      let typed = Array(CommandLine.arguments.dropFirst())
      // Workers have the limits that their parent checked.
      if !typed.areWorkers { try ResourceLimits.ensure() }
      try suite.checkNames(for: typed)
      let command = try Bench<Self>.parseAsRoot(typed)
      if let command = command as? any AsyncParsableCommand {
        try ResourceLimits.ensureThreads()
        finish(command)
      }
      var immediate = command
      try immediate.run()
    } catch {
      fail(error)
    }
  }

  private static func fail(_ error: any Error) -> Never {
    exit(Console.report(error, of: Bench<Self>.self))
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
      help: "give each its own name, without commas or colons, and not 'all'")
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
          interval      The 95 % confidence range of a median. It needs three blocks.

        Exit status: 0 done, 1 failed, 2 something is worse or over its limit, 3 something could \
        not be measured or is missing, 5 nothing to compare with, 7 undecided (with --strict), 64 \
        wrong command line.
        """,
      version: ToolInfo.version,
      subcommands: [
        RunCommand<App>.self, CompareCommand<App>.self, ScaleCommand<App>.self,
        ProfileCommand<App>.self,
        ReportCommand<App>.self, DiffCommand<App>.self, MergeCommand.self, GateCommand<App>.self,
        BaselineCommand<App>.self, HistoryCommand.self, ListCommand<App>.self, DoctorCommand.self,
      ] + App.documentCommands + [WorkerCommand<App>.self, ColdCommand<App>.self])
  }
}
