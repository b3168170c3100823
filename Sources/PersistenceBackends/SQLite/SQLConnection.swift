import GRDB

/// What opening a store takes of a connection, so that GRDB's and the bare one are set up by the
/// same code.
protocol SQLConnection {
  /// Runs one statement; its rows are dropped.
  func run(_ sql: String) throws
  /// The first column of a query as texts.
  func texts(_ sql: String) throws -> [String]
}

extension Database: SQLConnection {
  func run(_ sql: String) throws { try execute(sql: sql) }
  func texts(_ sql: String) throws -> [String] { try String.fetchAll(self, sql: sql) }
}
