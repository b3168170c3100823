import ArgumentParser
import BenchAnalysis
// A team's own bench is one file over one import: what it conforms to and lists comes along.
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
  /// What the suite's backends store.
  associatedtype Document: BenchDocument
  /// What can be measured.
  static var suite: Suite<Document> { get }
  /// Commands that only make sense for its kind of document, such as `generate` for menus.
  static var documentCommands: [any ParsableCommand.Type] { get }
}

extension BenchApp {
  /// None.
  public static var documentCommands: [any ParsableCommand.Type] { [] }
}

/// The program's name and version, which everything that says one takes from here.
enum ToolInfo {
  static let name = "MenuBench"
  static let version = Tool.currentVersion

  /// This program as records name it.
  static func tool(revision: String? = nil) -> Tool {
    Tool(name: name, version: version, revision: revision)
  }
}

extension Machine {
  /// The machine and the build that this program runs on; finding out takes some milliseconds, since
  /// the clock is measured.
  static func this() -> Machine {
    var machine = MachineProbe.describe()
    machine.sqlite = SQLiteLibrary.version
    return machine
  }

  /// What of a stored run could be compared with one measured here and now, on the file system that
  /// its stores lay on if that folder is there.
  func comparability(with stored: RunRecord) -> Comparability {
    let folder = stored.settings.storage
    let isHere = FileManager.default.fileExists(atPath: folder)
    var settings = stored.settings
    settings.fileSystem = FileSystem(at: isHere ? folder : ".")?.type
    let here = RunRecord(tool: ToolInfo.tool(), machine: self, settings: settings)
    return Comparability(candidate: here, baseline: stored)
  }
}
