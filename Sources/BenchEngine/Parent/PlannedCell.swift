import BackendKit
import BenchDocuments
import BenchResults

/// A cell to measure, with what its workers need to know about its document.
package struct PlannedCell: Hashable, Sendable {
  package var cell: Cell
  /// The document's name in the suite's source.
  package var documentName: String
  package var fingerprint: String
  /// Why the workload makes no sense here, or nil if it does. The cell is then not measured.
  package var refusal: String?

  /// Plans a cell.
  package init(cell: Cell, documentName: String, fingerprint: String) {
    self.cell = cell
    self.documentName = documentName
    self.fingerprint = fingerprint
  }

  /// Plans a workload on a backend with a document, by default at the workload's own durability.
  ///
  /// - Parameters:
  ///   - name: the document's name in the suite's source.
  ///   - refusal: why the workload makes no sense with the document.
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
