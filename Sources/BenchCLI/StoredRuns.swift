import Basics
import BenchAnalysis
import BenchResults
import Foundation
import MenuModel
import MenuWorkloads

/// Stored runs by path, and baselines by name.
enum StoredRun {
  /// Reads a `run.json`, compressed by gzip or not, or the one in a folder; of a name that is no path, the
  /// kept run's (``KeptRuns/path(of:)``); `-` is standard input.
  ///
  /// - Throws: a ``CLIError`` in the system's words where it is not there; ``RunFileError``.
  static func read(_ typed: String) throws -> RunRecord {
    guard typed != MenuFile.standardInput else { return try input() }
    guard let path = folder(of: typed) else {
      let isPath = FileManager.default.fileExists(atPath: typed)
      return try file(isPath ? typed : KeptRuns().path(of: typed) ?? typed)
    }
    let partial = path + "/run.partial.json"
    if FileManager.default.fileExists(atPath: partial) {
      Console.note(
        "note: \(path) holds a run that did not end too: \(partial) is what it had measured")
    }
    return try file(path + "/run.json")
  }

  /// The folder that was given, or a kept run's; nil of a file, of standard input and of what is not there.
  static func folder(of typed: String) -> String? {
    let isPath = FileManager.default.fileExists(atPath: typed)
    let path = isPath ? typed : KeptRuns().path(of: typed) ?? typed
    return SafeFile.isFolder(path) ? path : nil
  }

  /// Reads the file itself.
  static func file(_ path: String) throws -> RunRecord {
    guard access(path, R_OK) == 0 else {
      throw CLIError(
        "\(path) cannot be read: \(errnoMessage())",
        help: "give the run.json of a 'bench run', or the folder that holds one", status: .failed)
    }
    return try record(of: try RunFile.contents(path), path)
  }

  /// Reads standard input to its end; no more of it than the limit is kept.
  private static func input() throws -> RunRecord {
    let name = "standard input"
    var data = Data()
    do {
      while let more = try FileHandle.standardInput.read(upToCount: 1 << 16), !more.isEmpty {
        data.append(more)
        guard data.count <= RunFile.sizeLimit else {
          throw RunFileError.notARun(
            path: name, reason: "it has more bytes than the limit of \(RunFile.sizeLimit)")
        }
      }
    } catch let error as RunFileError {
      throw error
    } catch {
      throw RunFileError.unreadable(path: name, reason: systemReason(error))
    }
    return try record(of: data, name)
  }

  private static func record(of data: Data, _ path: String) throws -> RunRecord {
    guard Gzip.isGzip(data) else { return try RunFile.read(data, from: path) }
    let content: Data
    do throws(Gzip.Fault) {
      content = try Gzip.content(of: data, limit: RunFile.sizeLimit)
    } catch {
      throw switch error {
      case .tooLong:
        RunFileError.notARun(
          path: path, reason: "its gzip holds more bytes than the limit of \(RunFile.sizeLimit)")
      case .truncated:
        RunFileError.notARun(
          path: path, reason: "it is cut short: its gzip does not come to an end")
      case .damaged(let offset):
        RunFileError.notARun(path: path, reason: "its gzip is damaged at byte \(offset)")
      case .noMemory: RunFileError.unreadable(path: path, reason: errnoMessage(ENOMEM))
      case .noLibrary:
        RunFileError.unreadable(path: path, reason: "gzip wants zlib, which is missing here")
      }
    }
    return try RunFile.read(content, from: path)
  }

  /// Reads what ``read(_:)`` does, and where nothing is there the baseline of the name.
  ///
  /// - Throws: as that does, and as ``BaselineStore/read(_:)`` does.
  static func orBaseline(_ typed: String) throws -> RunRecord {
    let isThere =
      typed == MenuFile.standardInput || FileManager.default.fileExists(atPath: typed)
      || KeptRuns().path(of: typed) != nil
    let store = BaselineStore()
    guard !isThere, let name = BaselineName(typed), store.holds(name) else {
      return try read(typed)
    }
    return try store.read(name)
  }

  /// Reads a baseline: by its name, else a file or folder.
  ///
  /// - Parameters:
  ///   - run: what is to be compared with it; nil for a run that is yet to be measured.
  ///   - processes: whether it may have been measured in one process and the other in fresh ones; nil
  ///     where nobody can ask for that.
  /// - Throws: a ``CLIError`` of status `noBaseline` that lists the names there are, or where what
  ///   was found holds no figure or was measured by another method: comparing with nothing must not
  ///   look like a pass.
  static func baseline(
    _ argument: String, for run: RunRecord? = nil, _ processes: ProcessOptions? = nil
  ) throws -> RunRecord {
    let record = try find(argument)
    try check(record, argument, for: run, processes)
    guard record.hasFigures else {
      throw CLIError(
        "the baseline \(argument) holds no figure to compare with",
        help: "give a run that measured something", status: .noBaseline)
    }
    return record
  }

  /// Sees that a run was measured as the one that is to be compared with it.
  ///
  /// - Throws: a ``CLIError`` of status `noBaseline` that says why not, and how to have a new one.
  static func check(
    _ record: RunRecord, _ argument: String, for run: RunRecord?, _ processes: ProcessOptions?
  ) throws {
    try checkProcesses(record, argument, for: run, processes)
    let (method, found) = (run?.tool.method ?? Tool.currentMethod, record.tool.method)
    guard found != method else { return }
    let name = BaselineName(argument).map(\.description) ?? "NAME"
    throw CLIError(
      "the baseline \(argument) was measured by method \(found) of \(record.tool.name), this run by "
        + "method \(method): the same names mean other figures, so nothing compares",
      help: found < method
        ? "save a new one: \(record.command) --save-baseline \(name)"
        : "compare by the newer program that measured it",
      status: .noBaseline)
  }

  private static func checkProcesses(
    _ record: RunRecord, _ argument: String, for run: RunRecord?, _ processes: ProcessOptions?
  ) throws {
    let (here, there) = (run?.settings.oneProcess == true, record.settings.oneProcess == true)
    guard here != there, processes?.mixProcesses != true else { return }
    throw CLIError(
      "\(argument) was measured \(words(isOneProcess: there)), this run "
        + "\(words(isOneProcess: here)): what differs may be that alone",
      help: processes == nil
        ? "compare runs that were measured alike"
        : "--mix-processes compares them all the same",
      status: .noBaseline)
  }

  /// In how many processes a run was measured.
  static func words(isOneProcess: Bool) -> String {
    isOneProcess ? "in one process" : "in a fresh process a block"
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
    guard isPath || argument == MenuFile.standardInput || KeptRuns().path(of: argument) != nil
    else {
      throw store.missing(argument, or: "give a run.json")
    }
    return try read(argument)
  }
}

extension StoredRun {
  /// Reads runs by their paths, separated by commas, as one: what they measured apart is set side by
  /// side. A comma in the name of a file or a folder that is there separates nothing.
  ///
  /// - Throws: a ``CLIError`` where they may not be compared: other machines, other menus of one name,
  ///   one cell measured twice, or no figure at all.
  static func sideBySide(_ paths: String) throws -> RunRecord {
    let names = Self.names(paths)
    guard names.count > 1 else { return try withFigures(try ofOneMachine(paths), paths) }
    var whole = try part(names[0])
    for name in names.dropFirst() { try add(try part(name), name, to: &whole, names[0]) }
    return try withFigures(whole, paths)
  }

  private static func names(_ paths: String) -> [String] {
    var parts = paths.split(separator: ",", omittingEmptySubsequences: false).map(String.init)[...]
    var names: [String] = []
    while let part = parts.first {
      let file = MenuSource.fileWithCommas(parts)
      names.append(file?.name ?? part)
      parts = parts.dropFirst(file?.parts ?? 1)
    }
    return names
  }

  /// Reads a run that is to be one of several: the split of its suite is not that of the whole.
  private static func part(_ name: String) throws -> RunRecord {
    var record = try ofOneMachine(name)
    if !record.mergedShards.isEmpty {
      record.warnings += record.lackOfShards.map { ["\(name): \($0)"] } ?? []
    }
    record.split = nil
    return record
  }

  private static func withFigures(_ whole: RunRecord, _ paths: String) throws -> RunRecord {
    guard whole.hasFigures else {
      throw CLIError(
        "\(paths) holds no figure to compare", help: "give a run that measured something",
        status: .unmeasured)
    }
    return whole
  }

  /// Reads a run; of merged shards, if they were measured on machines that are alike.
  private static func ofOneMachine(_ name: String) throws -> RunRecord {
    let record = try read(name)
    guard let unlike = record.unlikeShards.first else { return record }
    throw CLIError(
      "\(name) was measured on several machines, across which nothing ranks: \(unlike)",
      help: "rank each shard's own run, or show the whole: bench report \(name)",
      status: .failed)
  }

  private static func add(
    _ more: RunRecord, _ name: String, to whole: inout RunRecord, _ first: String
  ) throws {
    let found = Comparability(candidate: more, baseline: whole)
    guard found.comparesTimes else {
      throw refused(
        "\(name) and \(first) were not measured alike: "
          + found.machineDifferences.joined(separator: "; ")
          .replacing("baseline", with: first))
    }
    let prints = whole.fingerprints
    let unlike = more.menus.first { prints[$0.name] != nil && prints[$0.name] != $0.fingerprint }
    if let menu = unlike {
      throw refused("\(name) and \(first) mean different menus by '\(menu.name)'")
    }
    let cells = Set(whole.outcomes.map(\.cell) + whole.cells.map(\.cell))
    if let twice = more.cells.first(where: { cells.contains($0.cell) })?.cell {
      throw refused("\(name) and \(first) both measured \(twice)")
    }
    whole.menus += more.menus.filter { prints[$0.name] == nil }
    let ids = Set(whole.backends.map(\.id))
    whole.backends += more.backends.filter { !ids.contains($0.id) }
    // Before their cells are one: an older record does not say what decides.
    let workloads = [whole, more].flatMap { record in
      record.cells.map(\.cell.workload).distinct.map(record.workload)
    }
    whole.workloads = workloads.grouped(by: \.id).map { $0.elements[0] }
    whole.cells += more.cells
    whole.outcomes += more.outcomes
    whole.failures += more.failures
    let warning = "what was measured in runs of its own differs by the machine's moods, too"
    whole.warnings += more.warnings + (whole.warnings.contains(warning) ? [] : [warning])
  }

  private static func refused(_ reason: String) -> CLIError {
    CLIError(
      reason, help: "measure them side by side: bench compare --backend A,B", status: .failed)
  }
}

extension RunRecord {
  /// What to type to measure its cells again.
  fileprivate var command: String {
    let asked = Set(outcomes.map(\.cell) + cells.map(\.cell))
    let parts: [(String, (Cell) -> String)] = [
      ("backend", { $0.backend }), ("menu", { typedMenu(of: $0) }), ("workload", { $0.workload }),
      ("durability", { $0.durability }),
    ]
    let words = parts.map { name, part in
      "--\(name) \(Set(asked.map(part)).sorted().joined(separator: ","))"
    }
    return "bench run \(words.joined(separator: " "))"
  }

  /// The record without the metrics that another was not asked for: those of which that has no series,
  /// not even one that says why it has no values.
  func limited(toMetricsOf other: RunRecord) -> RunRecord {
    let asked = Set(other.cells.map(\.metric.id))
    var record = self
    record.cells.removeAll { !asked.contains($0.metric.id) }
    return record
  }

  /// The record without the cells that were not asked for: a baseline of everything must not make a
  /// run of one backend look as if the others had gone missing.
  ///
  /// - Throws: a ``CLIError`` of status `noBaseline` where none is left: comparing with nothing must
  ///   not look like a pass.
  func limited(to cells: Set<Cell>) throws -> RunRecord {
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
