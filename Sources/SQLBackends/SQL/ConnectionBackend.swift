import BackendKit

/// A backend on one connection, which may keep a log.
protocol ConnectionBackend: LogKeeping, Compacting {
  var store: StoreConnection { get }
}

extension ConnectionBackend {
  /// See ``LogKeeping``.
  package func deferCheckpoints(_ isDeferred: Bool) throws {
    try store.deferCheckpoints(isDeferred)
  }

  /// See ``LogKeeping``.
  package var logFill: Double? { store.logFill }

  /// See ``LogKeeping``.
  package func checkpoint() throws { try store.checkpoint() }

  /// By VACUUM and a checkpoint that empties the log.
  package func compact() throws { try store.compact() }
}
