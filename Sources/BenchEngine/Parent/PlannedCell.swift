import BackendKit
import BenchDocuments
import BenchResults

/// A cell with what its workers need to know of its document.
package struct PlannedCell: Hashable, Sendable {
  package var cell: Cell
  /// The document's name as the suite's source understands it.
  package var documentName: String
  package var fingerprint: String
  /// Why the workload makes no sense on the backend; nil where it does. It is then not measured.
  package var refusal: String?
  /// Timed blocks after which it has enough, however wide its intervals; nil for no such end.
  package var mostBlocks: Int?
  /// Whether nothing of it is counted.
  package var isTimedOnly = false

  /// Plans a cell that is measured as often as others.
  package init(cell: Cell, documentName: String, fingerprint: String) {
    self.cell = cell
    self.documentName = documentName
    self.fingerprint = fingerprint
  }

  /// Plans a workload on a backend with a document, at its own durability unless another is asked for.
  ///
  /// - Parameters:
  ///   - name: The document's, as the suite's source understands it.
  ///   - refusal: Why the workload makes no sense with the document.
  package init<W: Workload>(
    _ backend: BackendEntry<W.Document>, _ workload: W, on menu: MenuInfo, named name: String,
    _ durability: Durability?, refusal: String?
  ) {
    self.init(
      cell: Cell(
        backend: backend.id, menu: menu.name, workload: workload.id,
        durability: (durability ?? workload.ownDurability).rawValue),
      documentName: name, fingerprint: menu.fingerprint)
    self.refusal = workload.refusal(of: backend) ?? refusal
  }
}
