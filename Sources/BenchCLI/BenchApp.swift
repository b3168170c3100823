import ArgumentParser
import BenchAnalysis
import BenchEngine
import MenuWorkloads
import RevisionBuild
import BenchProbes
import BenchReports
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

/// An executable with all of MenuBench's commands over a suite of its own.
///
/// ```swift
/// @main enum Bench: BenchApp {
///   static let suite = Suite(
///     backends: BackendRegistry.all, workloads: WorkloadRegistry.all, source: MenuSource())
/// }
/// ```
///
/// The same executable serves as the worker process of its own runs.
public protocol BenchApp: SendableMetatype {
  /// What the suite's backends store.
  associatedtype Document: BenchDocument
  /// What can be measured.
  static var suite: Suite<Document> { get }
  /// The formats that reports can have.
  static var reporters: [any Reporter] { get }
  /// Commands that only make sense for its kind of document, such as `generate` for menus.
  static var documentCommands: [any ParsableCommand.Type] { get }
}

extension BenchApp {
  /// The formats that come with the package.
  public static var reporters: [any Reporter] { ReporterRegistry.all }
  /// None.
  public static var documentCommands: [any ParsableCommand.Type] { [] }

  /// Parses the command line, runs the command and exits with its status.
  public static func main() {
    Console.ignoreClosedPipes()
    do {
      try FileLimit.ensure()
      let command = try Bench<Self>.parseAsRoot()
      if let command = command as? any AsyncParsableCommand {
        finish(command)
      }
      var immediate = command
      try immediate.run()
    } catch {
      exit(Console.report(error, of: Bench<Self>.self))
    }
  }

  /// Runs a command that waits for workers; the main thread serves signals meanwhile.
  private static func finish(_ command: any AsyncParsableCommand) -> Never {
    let once = UncheckedCommand(command)
    Task {
      do {
        var command = once.command
        try await command.run()
        exit(0)
      } catch {
        exit(Console.report(error, of: Bench<Self>.self))
      }
    }
    dispatchMain()
  }
}

extension BenchApp where Document == Menu {
  /// Making and importing menus.
  public static var documentCommands: [any ParsableCommand.Type] {
    [GenerateCommand.self, ImportCommand.self]
  }
}

/// A parsed command on its way to the task that runs it, and nowhere else.
private struct UncheckedCommand: @unchecked Sendable {
  let command: any AsyncParsableCommand
  init(_ command: any AsyncParsableCommand) { self.command = command }
}

/// The root of all commands.
struct Bench<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "bench",
      abstract: "Measures how an app's menu is stored.",
      discussion: """
        Start with: bench run --backend json --menu large
        Reports go to standard output, progress and notes to standard error.
        """,
      version: ToolInfo.version,
      subcommands: [
        RunCommand<App>.self, CompareCommand<App>.self, ScaleCommand<App>.self,
        ReportCommand<App>.self, DiffCommand<App>.self, GateCommand<App>.self,
        BaselineCommand<App>.self, SelfTestCommand<App>.self, ListCommand<App>.self,
        DoctorCommand<App>.self,
      ] + App.documentCommands + [WorkerCommand<App>.self, ColdCommand<App>.self])
  }
}

// A team's own bench is one file over one import: what it conforms to and lists comes along.
@_exported import BenchEngine
@_exported import MenuWorkloads
@_exported import RevisionBuild
@_exported import MenuModel
@_exported import PersistenceBackends

/// The program's name and version.
enum ToolInfo {
  static let name = "MenuBench"
  static let version = "0.1.0"
}

/// The machine and the build that this program runs on.
struct ThisMachine {
  /// What is known of it.
  let machine: Machine

  /// Finds it out; takes some milliseconds, since it measures the clock.
  init() {
    var machine = MachineProbe.describe()
    machine.sqlite = SQLiteLibrary.version
    self.machine = machine
  }

  /// What of a stored run could be compared with one measured here and now, on the file system that
  /// its stores lay on if that folder is there.
  func comparability(with stored: RunRecord) -> Comparability {
    let folder = stored.settings.storage
    let isHere = FileManager.default.fileExists(atPath: folder)
    var settings = stored.settings
    settings.fileSystem = FileSystem(at: isHere ? folder : ".")?.type
    return Comparability(
      candidate: RunRecord(tool: stored.tool, machine: machine, settings: settings),
      baseline: stored)
  }
}
