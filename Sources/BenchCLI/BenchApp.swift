import ArgumentParser
import BenchAnalysis
// A team's own bench needs only this import: all that its suite uses is exported here.
@_exported import BenchDocuments
@_exported import BenchEngine
import BenchProbes
import BenchResults
import Foundation
@_exported import MenuModel
@_exported import MenuWorkloads
@_exported import PersistenceBackends
@_exported import RevisionBuild

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
  /// The type that the suite's backends store.
  associatedtype Document: BenchDocument
  /// The backends, workloads and documents that can be measured.
  static var suite: Suite<Document> { get }
  /// Commands that only make sense for this kind of document, such as `generate` for menus.
  static var documentCommands: [any ParsableCommand.Type] { get }
}

extension BenchApp {
  /// There are no extra commands by default.
  public static var documentCommands: [any ParsableCommand.Type] { [] }
}

/// The program's name and version, for all output that states them.
enum ToolInfo {
  static let name = "MenuBench"
  static let version = Tool.currentVersion

  /// Describes this program for stored runs.
  static func tool(revision: String? = nil) -> Tool {
    Tool(name: name, version: version, revision: revision)
  }
}

extension Machine {
  /// Describes this machine and build. Takes some milliseconds, since it measures the clock.
  static func this() -> Machine {
    var machine = MachineProbe.describe()
    machine.sqlite = SQLiteLibrary.version
    return machine
  }

  /// Compares a stored run's machine and settings with those here, to find which figures are
  /// comparable. Uses the file system of the run's store folder if that exists here.
  func comparability(with stored: RunRecord) -> Comparability {
    let folder = stored.settings.storage
    let isHere = FileManager.default.fileExists(atPath: folder)
    var settings = stored.settings
    settings.fileSystem = FileSystem(at: isHere ? folder : ".")?.type
    let here = RunRecord(tool: ToolInfo.tool(), machine: self, settings: settings)
    return Comparability(candidate: here, baseline: stored)
  }
}
