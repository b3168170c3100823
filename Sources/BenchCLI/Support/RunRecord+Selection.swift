import BenchResults

extension RunRecord {
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
