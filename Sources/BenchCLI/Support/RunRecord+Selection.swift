import BenchResults

extension RunRecord {
  /// The record without the cells that were not asked for: a baseline of everything must not make a
  /// run of one backend look as if the others had gone missing.
  func limited(to cells: Set<Cell>) -> RunRecord {
    var record = self
    record.cells = self.cells.filter { cells.contains($0.cell) }
    record.outcomes = outcomes.filter { cells.contains($0.cell) }
    record.failures = failures.filter { cells.contains($0.cell) }
    return record
  }
}
