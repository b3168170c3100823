import BenchAnalysis
import BenchResults

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
    let folder = KeptRuns().folder
    let runs = try SafeFile.isFolder(folder) ? StoredRun.paths(in: folder, takingFiles: true) : []
    guard !runs.isEmpty else {
      throw CLIError(
        "there are no kept runs in \(folder)",
        help: "measure first, with bench run, or give run.json files or folders of them",
        status: .noBaseline)
    }
    return runs.map { RunSource(path: $0, isNamed: false) }
  }

  private static func of(_ typed: String) throws -> [RunSource] {
    let runs = try StoredRun.paths(in: typed, takingFiles: true)
    guard !runs.isEmpty else {
      throw CLIError(
        "\(typed) holds no runs",
        help: "give the run.json of a 'bench run', or a folder of such runs",
        status: .noBaseline)
    }
    return runs.map { RunSource(path: $0, isNamed: $0 == typed) }
  }

  /// What is to be added, of a merge each of its shards; nothing where it cannot be, which is a problem unless a folder
  /// merely happens to hold it.
  func entries(_ problems: inout [CLIError]) throws -> [HistoryEntry] {
    do {
      let record = try StoredRun.read(path)
      let entries = HistoryEntry.all(record)
      if let unfit = Self.unfit(record, entries, path) {
        if isNamed { throw unfit }
        Console.note("note: left out: \(unfit.message)")
        return []
      }
      return entries
    } catch {
      guard let known = ErrorWording.cliError(for: error) else { throw error }
      problems.append(known)
      return []
    }
  }

  /// Why a run has no place in a history; nil where it has.
  private static func unfit(
    _ record: RunRecord, _ entries: [HistoryEntry], _ path: String
  ) -> CLIError? {
    if let injection = record.pairing?.injection {
      return CLIError(
        "\(path) was changed on purpose: \(injection)", help: "add runs of the code as it is",
        status: .failed)
    }
    // By it runs are ordered, as text.
    let odd = record.byMachine.map(\.settings.started)
      .first { $0.wholeMatch(of: /[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}Z/) == nil }
    if let odd {
      return CLIError(
        "\(path) says that it began at '\(odd)', which is no time such as 2026-01-31T12:00:00Z",
        help: "give it as bench wrote it", status: .failed)
    }
    if entries.contains(where: { !$0.rows.isEmpty }) { return nil }
    let failure = record.failures.first.map { ": \($0.cell) failed: \($0.reason)" } ?? ""
    let withheld = ": each is below its floor, or of a menu that the run does not describe"
    return CLIError(
      "\(path) holds no figure to keep\(record.hasFigures ? withheld : failure)",
      help: "add runs that measured something", status: .unmeasured)
  }
}
