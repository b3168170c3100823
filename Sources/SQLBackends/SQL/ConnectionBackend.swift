import BackendKit

/// A backend on one connection, which may keep a log.
protocol ConnectionBackend: LogKeeping, Compacting {
  var store: StoreConnection { get }
}

extension ConnectionBackend {
  /// Drops SQLite's cached pages; the statements stay prepared.
  package func dropCaches() throws { store.releaseMemory() }

  /// Finalises the statements and closes the connection, which ends the log.
  package func close() throws { try store.close() }

  package func deferCheckpoints(_ isDeferred: Bool) throws {
    try store.deferCheckpoints(isDeferred)
  }

  package var logFill: Double? { store.logFill }
  package func checkpoint() throws { try store.checkpoint() }

  /// By VACUUM and a checkpoint that empties the log.
  package func compact() throws { try store.compact() }
}
