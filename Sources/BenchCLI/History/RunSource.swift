import BenchAnalysis
import BenchResults

/// A stored run to add to a history.
struct RunSource {
  let path: String
  /// Whether the user named this run, rather than the folder that it is in.
  let isNamed: Bool

  /// Finds runs by paths or names, or those in folders. Returns all kept runs if none are given.
  ///
  /// - Throws: a ``CLIError`` of status `noBaseline` if there are none.
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

  /// Returns the entries to add, one per shard of a merge, or none if the run cannot be added. A
  /// run that cannot be read is a problem. One that does not fit is only a problem if it was named.
  func entries(_ problems: inout [CLIError]) throws -> [HistoryEntry] {
    do {
      let record = try StoredRun.read(path)
      let entries = HistoryEntry.all(record)
      if let rejection = Self.rejection(record, entries, path) {
        if isNamed { throw rejection }
        Console.note("note: left out: \(rejection.message)")
        return []
      }
      return entries
    } catch {
      guard let known = ErrorWording.cliError(for: error) else { throw error }
      problems.append(known)
      return []
    }
  }

  /// Explains why a run does not belong in a history. Nil if it does.
  private static func rejection(
    _ record: RunRecord, _ entries: [HistoryEntry], _ path: String
  ) -> CLIError? {
    if let injection = record.pairing?.injection {
      return CLIError(
        "\(path) was changed on purpose: \(injection)", help: "add runs of the code as it is")
    }
    // Runs are ordered by this text.
    let odd = record.byMachine.map(\.settings.started)
      .first { $0.wholeMatch(of: /[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}Z/) == nil }
    if let odd {
      return CLIError(
        "\(path) says that it began at '\(odd)', which is not a time such as 2026-01-31T12:00:00Z",
        help: "give the run as bench wrote it")
    }
    if entries.contains(where: { !$0.rows.isEmpty }) { return nil }
    let failure = record.failures.first.map { ": \($0.cell) failed: \($0.reason)" } ?? ""
    let withheld = ": each is below its floor, or of a menu that the run does not describe"
    return CLIError(
      "\(path) holds no figure to keep\(record.hasFigures ? withheld : failure)",
      help: "add runs that measured something", status: .unmeasured)
  }
}
