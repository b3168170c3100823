import BenchAnalysis
import BenchResults
import Foundation

/// A stored run that is to be added to a history.
struct RunSource {
  let path: String
  /// Whether somebody named this very run, rather than the folder that it lies in.
  let isNamed: Bool

  /// The runs by paths or names, or those in folders; every kept one where none is given.
  ///
  /// - Throws: a ``CLIError`` of status `noBaseline` where there is none.
  static func all(_ typed: [String]) throws -> [RunSource] {
    guard typed.isEmpty else { return try typed.flatMap(of) }
    let kept = KeptRuns()
    let runs = inside(kept.folder)
    guard !runs.isEmpty else {
      throw CLIError(
        "there are no kept runs in \(kept.folder)",
        help: "measure first, with bench run, or give run.json files or folders of them",
        status: .noBaseline)
    }
    return runs
  }

  private static func of(_ typed: String) throws -> [RunSource] {
    guard SafeFile.isFolder(typed), !isThere(typed + "/run.json") else {
      return [RunSource(path: typed, isNamed: true)]
    }
    let runs = inside(typed)
    guard !runs.isEmpty else {
      throw CLIError(
        "\(typed) holds no runs",
        help: "give the run.json of a 'bench run', or a folder of such runs",
        status: .noBaseline)
    }
    return runs
  }

  /// The folders with a run in a folder, and its files that may be runs.
  private static func inside(_ folder: String) -> [RunSource] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let paths = names.filter { !$0.hasPrefix(".") }
      .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
      .map { folder + "/" + $0 }
    return paths.filter { path in
      isThere(path + "/run.json")
        || !SafeFile.isFolder(path) && [".json", ".json.gz"].contains(where: path.hasSuffix)
    }.map { RunSource(path: $0, isNamed: false) }
  }

  private static func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// What is to be added; nil where it cannot be, which is a problem unless a folder merely happens to hold it.
  func entry(_ problems: inout [CLIError]) throws -> HistoryEntry? {
    do {
      let record = try StoredRun.read(path)
      if let unfit = Self.unfit(record, path) {
        if isNamed { throw unfit }
        Console.note("note: left out: \(unfit.message)")
        return nil
      }
      return HistoryEntry(record)
    } catch {
      guard let known = ErrorWording.cliError(for: error) else { throw error }
      problems.append(known)
      return nil
    }
  }

  /// Why a run has no place in a history; nil where it has.
  private static func unfit(_ record: RunRecord, _ path: String) -> CLIError? {
    if let injection = record.pairing?.injection {
      return CLIError(
        "\(path) was changed on purpose: \(injection)", help: "add runs of the code as it is",
        status: .failed)
    }
    if record.hasFigures { return nil }
    let failure = record.failures.first.map { ": \($0.cell) failed: \($0.reason)" } ?? ""
    return CLIError(
      "\(path) holds no figure to keep\(failure)", help: "add runs that measured something",
      status: .unmeasured)
  }
}
