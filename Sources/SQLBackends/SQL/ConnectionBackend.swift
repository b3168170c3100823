import BackendKit

/// A backend on one SQLite connection, which has a write-ahead log unless the durability is `none`.
protocol ConnectionBackend: LogKeeping, Compacting {
  var store: StoreConnection { get }
}

extension ConnectionBackend {
  /// Drops SQLite's cached pages. The statements stay prepared.
  package func dropCaches() throws { store.releaseMemory() }

  /// Finalises the statements and closes the connection. The last connection removes the log.
  package func close() throws { try store.close() }

  package func deferCheckpoints(_ isDeferred: Bool) throws {
    try store.deferCheckpoints(isDeferred)
  }

  package var logFill: Double? { store.logFill }
  package func checkpoint() throws { try store.checkpoint() }

  /// Runs VACUUM and a checkpoint that truncates the log.
  package func compact() throws { try store.compact() }
}
