import BenchAnalysis
import BenchResults

/// Stored runs as one: what they measured apart is set side by side.
enum StoredComparison {
  /// Reads runs by their paths, separated by commas.
  ///
  /// - Throws: a ``CLIError`` where they may not be compared: other machines, other menus of one name,
  ///   one cell measured twice, or no figure at all.
  static func read(_ paths: String) throws -> RunRecord {
    let names = paths.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    var whole = try StoredRun.read(names[0])
    for name in names.dropFirst() { try add(try StoredRun.read(name), name, to: &whole, names[0]) }
    guard whole.hasFigures else {
      throw CLIError(
        "\(paths) holds no figure to compare", help: "give a run that measured something",
        status: .unmeasured)
    }
    return whole
  }

  /// Refuses options that only make sense for measuring: a stored run is shown as it is, and what
  /// would be measured otherwise must not be dropped in silence.
  static func refuseMeasuring(_ given: [String], _ limits: Limits) throws {
    let times = [("--blocks", limits.blocks != nil), ("--budget", limits.budget != nil)]
    guard let option = (given + times.filter(\.1).map(\.0)).first else { return }
    throw CLIError(
      "\(option) is for measuring, and --run shows what was measured",
      help: "leave out one of them", status: .usage)
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
    let prints = Dictionary(whole.menus.map { ($0.name, $0.fingerprint) }) { one, _ in one }
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
