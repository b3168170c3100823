/// What a durability means to SQLite. GRDB's connection and the bare one get the same.
struct StoreSettings {
  /// How long an operation waits for another connection's lock, in milliseconds.
  static let busyTimeout = 5_000

  let journal: String
  let synchronous: String

  /// The settings of a durability.
  ///
  /// `none` keeps the rollback journal in memory: an operation that fails is still undone, but a
  /// process that dies half-way leaves a torn file. Journal OFF would spare a little more and make
  /// a failed INSERT undefined behaviour (sqlite.org/pragma.html#pragma_journal_mode).
  ///
  /// `atomic` and `durable` write to the log. SQLite's own checkpoint stays on: the commit that
  /// takes the log past 1,000 pages copies it into the database and pays for it.
  init(_ durability: Durability) {
    switch durability {
    case .none: (journal, synchronous) = ("memory", "OFF")
    case .atomic: (journal, synchronous) = ("wal", "NORMAL")
    case .durable: (journal, synchronous) = ("wal", "FULL")
    }
    flushesDrive = durability == .durable
  }

  /// Sets a connection up; throws ``SQLiteFailure`` where the journal can't be had, as on a file
  /// system without shared memory.
  func apply(to connection: some SQLConnection) throws {
    let answer = try connection.texts("PRAGMA journal_mode = \(journal)")
    guard answer == [journal] else {
      throw SQLiteFailure(
        "the journal mode is \(answer.joined()), not \(journal)")
    }
    for pragma in pragmas { try connection.run("PRAGMA \(pragma)") }
  }

  private let flushesDrive: Bool

  private var pragmas: [String] {
    // The last two make Apple's systems flush the drive's cache, and do nothing elsewhere.
    let flush = flushesDrive ? 1 : 0
    return [
      "foreign_keys = ON", "synchronous = \(synchronous)", "fullfsync = \(flush)",
      "checkpoint_fullfsync = \(flush)",
    ]
  }
}
