import ArgumentParser
import BenchAnalysis
import BenchReports
import BenchResults
import Foundation

/// `bench report`: any format from a stored run.
struct ReportCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "report", abstract: "Shows a stored run in any format, without measuring again.")
  }

  @Argument(help: "A run.json, or the folder that holds one.")
  var storedRun: String

  @OptionGroup var options: ReportOptions

  func run() throws {
    try options.show(
      StoredRun.read(storedRun), against: options.baseline.map(StoredRun.baseline),
      as: App.reporters)
  }
}

/// `bench diff`: two stored runs.
struct DiffCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "diff", abstract: "Compares two stored runs: what B is against A.")
  }

  @Argument(help: "The run to compare with: a run.json or its folder.")
  var a: String

  @Argument(help: "The run to judge: a run.json or its folder.")
  var b: String

  @Option(help: "table, csv, markdown, json or another of bench list formats.")
  var format = "table"

  func run() throws {
    let options = ReportOptions(format: format)
    try options.show(StoredRun.read(b), against: StoredRun.read(a), as: App.reporters)
  }
}

/// How a run is shown, by `run` and `report` alike.
struct ReportOptions: ParsableArguments {
  @Option(help: "table, csv, markdown, json or another of bench list formats.")
  var format = "table"

  @Option(help: "A run to compare with: a name in Reports/baselines, or a run.json.")
  var baseline: String?

  init() {}

  init(format: String) {
    self.format = format
  }

  /// The reporter of the format chosen.
  ///
  /// - Throws: a ``CLIError`` when there is none of that name.
  func reporter(among reporters: [any Reporter]) throws -> any Reporter {
    let id = try Choice(kind: "format", ids: reporters.map(\.id)).one(format)
    return reporters.first { $0.id == id } ?? reporters[0]
  }

  /// Writes a record to standard output.
  ///
  /// - Throws: a ``CLIError`` of status `regression` after the report, where something is worse.
  func show(
    _ record: RunRecord, against baseline: RunRecord?, as reporters: [any Reporter]
  ) throws {
    let reporter = try reporter(among: reporters)
    let report = Report(record: record, baseline: baseline)
    try Console.output(try reporter.render(report))
    try report.judge()
  }
}

extension Report {
  /// Says nothing where nothing became worse.
  ///
  /// - Throws: a ``CLIError`` of status `regression` that counts what did, or of `noBaseline` where
  ///   the baseline has no figure to compare with: comparing with nothing must not look like a pass.
  func judge() throws {
    let outcome = outcome(.shown)
    guard let status = ExitStatus(outcome) else { return }
    guard case .regressed(let worse) = outcome else {
      throw CLIError(
        "the baseline has no figure in common with this run",
        help: "compare runs of the same backends, menus, durability and metrics", status: status)
    }
    throw CLIError(
      "\(worse.count) \(worse.count == 1 ? "figure" : "figures") became worse than the baseline",
      help: "see the rows marked regressed", status: status)
  }
}

/// Stored runs by path, and baselines by name.
enum StoredRun {
  /// Reads a `run.json`, or the one in a folder.
  ///
  /// - Throws: a ``CLIError`` in the system's words where it is not there; ``RunFileError``.
  static func read(_ path: String) throws -> RunRecord {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard isFolder.boolValue else { return try file(path) }
    let partial = path + "/run.partial.json"
    if FileManager.default.fileExists(atPath: partial) {
      Console.note(
        "note: \(path) holds a run that did not end too: \(partial) is what it had measured")
    }
    return try file(path + "/run.json")
  }

  /// Reads the file itself.
  static func file(_ path: String) throws -> RunRecord {
    guard access(path, R_OK) == 0 else {
      throw CLIError(
        "\(path) cannot be read: \(String(cString: strerror(errno)))",
        help: "give the run.json of a 'bench run', or the folder that holds one", status: .failed)
    }
    return try RunFile.read(path)
  }

  /// Reads a baseline: by its name, else a file or folder.
  ///
  /// - Throws: a ``CLIError`` of status `noBaseline` that lists the names there are, or where what
  ///   was found holds no figure: comparing with nothing must not look like a pass.
  static func baseline(_ argument: String) throws -> RunRecord {
    let record = try find(argument)
    guard record.hasFigures else {
      throw CLIError(
        "the baseline \(argument) holds no figure to compare with",
        help: "give a run that measured something", status: .noBaseline)
    }
    return record
  }

  private static func find(_ argument: String) throws -> RunRecord {
    let store = BaselineStore()
    let isPath = FileManager.default.fileExists(atPath: argument)
    if let name = BaselineName(argument), store.holds(name) {
      if isPath {
        Console.note("note: '\(argument)' is read as a baseline; for the file: ./\(name)")
      }
      return try store.read(name)
    }
    guard isPath else { throw store.missing(argument, or: "give a run.json") }
    return try read(argument)
  }
}
