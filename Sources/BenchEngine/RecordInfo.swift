import BackendKit
import BenchDocuments
import BenchResults

extension BackendEntry {
  /// What a record says of it.
  package var info: BackendInfo {
    BackendInfo(
      id: id, summary: summary, caveat: caveat, promises: promises.map(\.rawValue),
      survivesRestart: survivesRestart, belowFloor: belowFloor.isEmpty ? nil : belowFloor,
      flushes: survivesRestart
        ? Durability.allCases.filter { $0 >= flushedFrom }.map(\.rawValue) : nil)
  }
}

extension LoadedDocument {
  /// What a record says of it.
  package var info: MenuInfo {
    MenuInfo(
      name: name, source: origin, fingerprint: document.fingerprint.description,
      counts: document.counts.map { MenuInfo.Count(of: $0.of, count: $0.count) }, notes: notes,
      sizedBy: Document.sizedBy, change: Fixtures(document).change)
  }
}
