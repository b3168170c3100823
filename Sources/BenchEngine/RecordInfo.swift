import BackendKit
import BenchDocuments
import BenchResults

extension BackendEntry {
  /// The description of this backend in a record.
  package var info: BackendInfo {
    let flushes = Durability.allCases.filter { $0 >= flushedFrom }.map(\.rawValue)
    return BackendInfo(id: id, summary: summary, caveat: caveat)
      .with(\.promises, promises.map(\.rawValue)).with(\.survivesRestart, survivesRestart)
      .with(\.belowFloor, belowFloor.isEmpty ? nil : belowFloor)
      .with(\.flushes, survivesRestart ? flushes : nil).with(\.note, note)
  }
}

extension LoadedDocument {
  /// The description of this document in a record.
  package var info: MenuInfo {
    MenuInfo(
      name: name, source: origin, fingerprint: document.fingerprint.description,
      counts: document.counts.map { MenuInfo.Count(of: $0.of, count: $0.count) }
    ).with(\.notes, notes).with(\.sizedBy, Document.sizedBy)
      .with(\.change, Fixtures(document).change)
  }
}
