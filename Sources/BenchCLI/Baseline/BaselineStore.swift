import Basics
import BenchAnalysis
import BenchProbes
import BenchResults
import Foundation

/// Named baselines: each is a run in a file `NAME.json`, all in one folder.
struct BaselineStore {
  var folder = "Reports/baselines"

  func path(of name: BaselineName) -> String { "\(folder)/\(name.fileName).json" }

  /// Whether there is a file of that name, valid or not.
  func holds(_ name: BaselineName) -> Bool { SafeFile.exists(path(of: name)) }

  /// The names of all files that could be baselines, sorted. The files are not read.
  func files() throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { file in
          let name = String(file.dropLast(5))
          return BaselineName(fileName: name)?.description ?? name
        }.sorted()
    } catch {
      throw CLIError("\(folder) cannot be read: \(systemReason(error))")
    }
  }

  /// Reads a baseline.
  ///
  /// - Throws: a ``CLIError`` of status `noBaseline` that lists the names there are, or any error
  ///   of reading the file.
  func read(_ name: BaselineName) throws -> RunRecord {
    guard holds(name) else { throw missing(name.description) }
    try checkPlace(name)
    return try StoredRun.file(path(of: name))
  }

  /// Removes a baseline, even if it is broken. Removes only the link if it is one.
  ///
  /// - Throws: a ``CLIError`` of status `noBaseline` that lists the names there are.
  func remove(_ name: BaselineName) throws {
    guard unlink(path(of: name)) != 0 else { return }
    if errno == ENOENT { throw missing(name.description) }
    throw CLIError("\(path(of: name)) cannot be removed: \(errnoMessage())")
  }

  /// The error for a missing baseline. Lists the names there are, with the most similar first.
  func missing(_ name: String, or alternative: String? = nil) -> CLIError {
    let names = ((try? files()) ?? []).filter { BaselineName($0) != nil }
    let others =
      names.isEmpty
      ? "there are no baselines in \(folder): make one with 'bench baseline save NAME'"
      : "baselines: \(names.joined(separator: ", "))"
    return CLIError(
      "no baseline '\(name)'",
      help: NearestMatch.hint(name, among: names) + others
        + (alternative.map { ", or \($0)" } ?? ""),
      status: .noBaseline)
  }

  /// Checks that a baseline is a regular file in the folder. A link might lead elsewhere, and
  /// reading a pipe would block.
  private func checkPlace(_ name: BaselineName) throws {
    let path = path(of: name)
    func refused(_ reason: String, help: String? = nil) -> CLIError {
      CLIError("\(path) \(reason)", help: help ?? "remove it: bench baseline remove \(name)")
    }
    guard let home = resolvedPath(folder), let found = resolvedPath(path) else {
      throw refused("is a broken link")
    }
    guard found.hasPrefix(home + "/") else {
      throw refused("is a link that leads out of \(folder)")
    }
    guard let mode = SafeFile.mode(of: path), mode & S_IFMT == S_IFREG else {
      throw refused("is not a regular file", help: "remove it by hand")
    }
  }
}

extension BaselineStore {
  /// Keeps a run under a name, unless the run that has the name now is worth more.
  ///
  /// - Throws: a ``CLIError`` that says what would be lost, such as one of status `regression`.
  func save(
    _ record: RunRecord, as name: BaselineName, _ judgement: Judgement = Judgement()
  ) throws {
    try record.checkIsWhole()
    try Report(record: record, limits: judgement.limits).enforce()
    try makeFolder()
    // Other processes must not come between the check of the old baseline and its replacement.
    guard let lock = try FolderLock(folder) else {
      throw CLIError("another process is saving a baseline in \(folder)", help: "try again")
    }
    defer { lock.release() }
    if let doubt = try held(name)?.checkReplacement(by: record, judgement) {
      Console.note("note: \(doubt)")
    }
    try SafeFile.replace(
      path(of: name), with: RunFile.encode(record), help: "make \(folder) writable")
  }

  /// Keeps a run under a name if it passes. Without a name, only checks that it passes.
  func keep(_ report: Report, as name: BaselineName?, _ judgement: Judgement) throws {
    let keys = report.allRows.map(\.series.key)
    for rule in judgement.limits.rules where !keys.contains(where: rule.rows.matches) {
      Console.note("note: this run has no figure for the limit of \(rule.rows)")
    }
    do {
      try report.enforce()
    } catch {
      if let name { Console.note("note: the run is not kept as baseline '\(name)'") }
      throw error
    }
    guard let name else { return }
    try save(report.record, as: name, judgement)
    Console.note("baseline '\(name)': \(path(of: name))")
  }

  /// Checks before measuring that a run may take a name.
  func check(_ name: BaselineName, isOpenTo cells: Set<Cell>, _ metrics: Set<String>?) throws {
    try makeFolder()
    try held(name)?.check(planned: cells, metrics, build: Build.configuration)
  }

  /// Returns the run that has a name now, or nil if there is none.
  private func held(_ name: BaselineName) throws -> HeldBaseline? {
    guard holds(name) else { return nil }
    do {
      return HeldBaseline(name: name, record: try read(name))
    } catch {
      guard var known = ErrorWording.cliError(for: error) else { throw error }
      known.help = "an unreadable baseline is not replaced: bench baseline remove \(name) first"
      throw known
    }
  }

  private func makeFolder() throws {
    do {
      try Basics.makeFolder(folder)
    } catch {
      throw unusable("made", systemReason(error))
    }
    guard access(folder, W_OK) == 0 else {
      throw unusable("written", errnoMessage())
    }
  }

  private func unusable(_ what: String, _ reason: String) -> CLIError {
    CLIError(
      "the folder \(folder) cannot be \(what): \(reason)",
      help: "baselines are kept in the current folder's \(folder)")
  }
}

extension RunRecord {
  /// Refuses a run that measured nothing, or less than it was asked for.
  ///
  /// - Throws: a ``CLIError`` of status `unmeasured`, or `failed` if it was changed on purpose.
  fileprivate func checkIsWhole() throws {
    if let injection = pairing?.injection {
      throw CLIError(
        "this run was changed on purpose: \(injection)", help: "save a run of the code as it is")
    }
    if let reason = lack {
      throw CLIError(
        "this run cannot be a baseline: \(reason)", help: "measure everything again",
        status: .unmeasured)
    }
  }

  private var lack: String? {
    if let failure = failures.first { return "\(failure.cell) failed: \(failure.reason)" }
    let cut = outcomes.first { $0.stop == .interrupted || $0.stop == .running }
    if let cut { return "it ended before \(cut.cell) was measured" }
    guard hasFigures else { return "it measured nothing" }
    return emptyCells.first.map { "\($0.cell): \($0.reason)" } ?? lackOfShards
  }
}
