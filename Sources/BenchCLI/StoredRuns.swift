import Basics
import BenchAnalysis
import BenchResults
import Foundation
import MenuSources

/// Finds stored runs by path and baselines by name.
enum StoredRun {
  /// Reads a `run.json` or the one in a folder, or the part that a killed run left there. A name
  /// that is not a path may be a kept run (``KeptRuns/path(of:)``). A `-` is standard input.
  ///
  /// - Throws: a ``CLIError`` with the system's reason if it cannot be read, or a `Refusal`.
  static func read(_ typed: String) throws -> RunRecord {
    guard typed != MenuFile.standardInput else { return try input() }
    let (path, found) = (place(of: typed), source(of: typed))
    let partial = path + "/run.partial.json"
    if FileManager.default.fileExists(atPath: partial) {
      let words = found == partial ? "holds only" : "also holds"
      Console.note("note: \(path) \(words) an unfinished run: \(partial) has its results so far")
    }
    return try file(found)
  }

  /// The files of a run in its folder. A killed run leaves only the second.
  static let files = ["run.json", "run.partial.json"]

  /// Returns the path of the file that ``read(_:)`` reads, even if it is missing.
  private static func source(of typed: String) -> String {
    let path = place(of: typed)
    guard SafeFile.isFolder(path) else { return path }
    let paths = files.map { "\(path)/\($0)" }
    return paths.first(where: FileManager.default.fileExists) ?? paths[0]
  }

  /// Refuses to write a file that the command reads: a menu, a run or a baseline, by any name.
  ///
  /// - Parameter option: The option that named the files.
  static func refuse(_ option: String, writing files: [String], losing inputs: [String]) throws {
    let written = Set(files.compactMap(resolvedPath))
    guard !written.isEmpty else { return }
    let lost = inputs.distinct.first { input in
      let baseline = BaselineName(input).map { BaselineStore().path(of: $0) }
      return [source(of: input), baseline ?? input].compactMap(resolvedPath)
        .contains { written.contains($0) }
    }
    guard let lost else { return }
    throw CLIError(
      "\(option) would replace \(lost), which this command reads",
      help: "choose another place with \(option)", status: .usage)
  }

  /// Refuses to replace the raw values of a run, which may be all that there is of it.
  static func refuse(_ option: String, replacingRunAt path: String) throws {
    guard RunFile.looksLikeOne(path) else { return }
    throw CLIError(
      "\(path) is a stored run, whose raw values would be lost",
      help: "choose another place with \(option)")
  }

  /// Returns the folder given, or a kept run's. Nil for files, standard input and missing paths.
  static func folder(of typed: String) -> String? {
    let path = place(of: typed)
    return SafeFile.isFolder(path) ? path : nil
  }

  /// Returns the path that was given, a kept run's folder, or the typed text if neither exists.
  private static func place(of typed: String) -> String {
    let isPath = FileManager.default.fileExists(atPath: typed)
    return isPath ? typed : KeptRuns().path(of: typed) ?? typed
  }

  /// Whether there is anything for ``read(_:)`` to read.
  private static func exists(_ typed: String) -> Bool {
    typed == MenuFile.standardInput || SafeFile.exists(place(of: typed))
  }

  /// Returns the runs that a path refers to, sorted by name: itself, or the runs in a folder that
  /// has no `run.json`. Notes runs that did not finish.
  ///
  /// - Parameter takesFiles: Whether to include files that may be runs, and not only folders.
  static func paths(in typed: String, takingFiles takesFiles: Bool = false) throws -> [String] {
    func holds(_ path: String, _ file: String) -> Bool {
      FileManager.default.fileExists(atPath: "\(path)/\(file)")
    }
    guard SafeFile.isFolder(typed), !holds(typed, "run.json") else { return [typed] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: typed)
    } catch {
      throw CLIError("\(typed) cannot be read: \(systemReason(error))")
    }
    let paths = names.filter { !$0.hasPrefix(".") }
      .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
      .map { "\(typed)/\($0)" }
    for path in paths where holds(path, "run.partial.json") && !holds(path, "run.json") {
      Console.note("note: \(path) holds an unfinished run")
    }
    return paths.filter { path in
      // Compressed runs stay in the list, so that reading them fails with a clear message.
      let mayBeRun = [".json", ".json.gz"].contains(where: path.hasSuffix)
      return holds(path, "run.json") || takesFiles && mayBeRun && !SafeFile.isFolder(path)
    }
  }

  /// Reads a run from exactly this path.
  static func file(_ path: String) throws -> RunRecord {
    guard access(path, R_OK) == 0 else {
      guard !KeptRuns.isCount(path) else { throw KeptRuns().noSuch(path) }
      throw CLIError(
        "\(path) cannot be read: \(errnoMessage())",
        help: "give the run.json of a 'bench run', or the folder that holds one")
    }
    return try record(of: try RunFile.contents(path), path)
  }

  /// Reads a run from standard input, up to the size limit.
  private static func input() throws -> RunRecord {
    let name = "standard input"
    let data: Data
    do {
      data = try FileHandle.standardInput.contents(upTo: RunFile.sizeLimit)
    } catch {
      throw RunFile.unreadable(name, error)
    }
    return try record(of: data, name)
  }

  private static func record(of data: Data, _ path: String) throws -> RunRecord {
    guard !data.isGzip else {
      throw CLIError(
        "\(path) is compressed by gzip",
        help: "decompress it: gunzip FILE, or gunzip -c FILE | bench report -")
    }
    return try RunFile.read(data, from: path)
  }

  /// Reads the baseline of that name, or a run like ``read(_:)`` if there is none.
  static func orBaseline(_ typed: String) throws -> RunRecord {
    let store = BaselineStore()
    guard let name = BaselineName(typed) else { return try read(typed) }
    if store.holds(name) {
      if FileManager.default.fileExists(atPath: typed) {
        Console.note("note: '\(typed)' is read as a baseline. For the file, type ./\(name)")
      }
      return try store.read(name)
    }
    if exists(typed) || KeptRuns.isCount(typed) { return try read(typed) }
    var missing = store.missing(typed, or: "give a run.json")
    missing.message = "there is no run and no baseline '\(typed)'"
    throw missing
  }

  /// Reads a baseline by its name, or from a file or folder.
  ///
  /// - Parameters:
  ///   - run: The run to compare with it, or nil if that is yet to be measured.
  ///   - comparing: The options that may allow comparing a run of one process with a run of fresh
  ///     processes, or nil if the command has none.
  /// - Throws: a ``CLIError`` of status `noBaseline` if there is no such baseline, or if it has no
  ///   figures or was measured differently. Comparing with nothing must not look like a pass.
  static func baseline(
    _ argument: String, for run: RunRecord? = nil, _ comparing: ComparingOptions? = nil
  ) throws -> RunRecord {
    let store = BaselineStore()
    guard BaselineName(argument).map(store.holds) ?? false || exists(argument) else {
      throw store.missing(argument, or: "give a run.json")
    }
    let record = try orBaseline(argument)
    try check(record, argument, for: run, comparing)
    guard record.hasFigures else {
      throw CLIError(
        "the baseline \(argument) holds no figure to compare with",
        help: "give a run that measured something", status: .noBaseline)
    }
    return record
  }

  /// Checks that a run was measured in the same way as the run to compare with it.
  ///
  /// - Throws: a ``CLIError`` of status `noBaseline` with the reason and a remedy.
  static func check(
    _ record: RunRecord, _ argument: String, for run: RunRecord?, _ comparing: ComparingOptions?
  ) throws {
    let here = run?.processes ?? RunRecord.processes(areOne: false)
    guard here == record.processes || comparing?.mixProcesses == true else {
      throw CLIError(
        "\(argument) was measured \(record.processes), but this run \(here). Differences may come "
          + "from that alone",
        help: comparing == nil
          ? "compare runs that were measured in the same way"
          : "--mix-processes compares them anyway",
        status: .noBaseline)
    }
    let (method, found) = (run?.tool.method ?? Tool.currentMethod, record.tool.method)
    guard found != method else { return }
    let name = BaselineName(argument).map(\.description) ?? "NAME"
    throw CLIError(
      "the baseline \(argument) was measured by method \(found) of \(record.tool.name), this run by "
        + "method \(method). The same names mean other figures, so the two cannot be compared",
      help: found < method
        ? "measure a new one, and save it: --save-baseline \(name)"
        : "compare with the newer program that measured it",
      status: .noBaseline)
  }
}

extension RunRecord {
  /// Removes the metrics that the other run was not asked for: those without a series in it, even
  /// one that explains missing values. Removes none if it took all metrics.
  func limited(toMetricsOf other: RunRecord) -> RunRecord {
    let tookAll = other.settings.takesAll?.contains(.metrics) ?? false
    guard !tookAll, !isOfOneGate(as: other) else { return self }
    let asked = Set(other.cells.map(\.metric.id))
    var record = self
    record.cells.removeAll { !asked.contains($0.metric.id) }
    return record
  }

  /// Limits this stored run to the cells that count as missing if another run lacks them. These are
  /// the cells that the other was asked for, or takes as all of something. Other backends of a
  /// baseline are not missing in a run of one.
  ///
  /// - Parameter others: Cells that other shards measure.
  /// - Throws: a ``CLIError`` of status `noBaseline` if no cell is left. Comparing with nothing
  ///   must not look like a pass.
  func limited(
    toRunOf asked: [Cell], takingAll parts: [Settings.Part]?, without others: Set<Cell> = []
  ) throws -> RunRecord {
    let cells = cells(besideRunOf: asked, takingAll: parts ?? []).subtracting(others)
    let held = Set(self.cells.map(\.cell))
    guard !held.isDisjoint(with: cells) else {
      let names = held.map(\.description).sorted().prefix(8).joined(separator: ", ")
      throw CLIError(
        "the baseline holds none of the cells asked for",
        help: held.isEmpty ? "it holds none at all" : "it holds \(names)", status: .noBaseline)
    }
    var record = self
    record.cells = self.cells.filter { cells.contains($0.cell) }
    record.outcomes = outcomes.filter { cells.contains($0.cell) }
    record.failures = failures.filter { cells.contains($0.cell) }
    return record
  }
}
