import BenchResults

/// A cell with what its workers need to know of its document.
package struct PlannedCell: Hashable, Sendable {
  /// The cell.
  package var cell: Cell
  /// The document's name as the suite's source understands it.
  package var documentName: String
  /// The document's fingerprint, sixteen hexadecimal digits.
  package var fingerprint: String
  /// Why the workload makes no sense on the backend; nil where it does. It is then not measured.
  package var refusal: String?
  /// Timed blocks after which it has enough, however wide its intervals; nil for no such end.
  package var mostBlocks: Int?
  /// Whether nothing of it is counted.
  package var isTimedOnly = false

  /// Plans a cell that is measured as often as others.
  package init(
    cell: Cell, documentName: String, fingerprint: String, refusal: String? = nil
  ) {
    self.cell = cell
    self.documentName = documentName
    self.fingerprint = fingerprint
    self.refusal = refusal
  }
}
