import MenuModel
import PersistenceBackends

/// Two storages that are kept in step while an app moves from one to the other.
///
/// The old one is always written, first, whichever is read: so there is a way back at any time. Where
/// the new one can't be written the app goes on; that the two are out of step shows when they are
/// compared. Which one is read stands in a small file, so that the app knows when it is started again.
struct DualStore<Document: BenchDocument> {
  private let old: Side
  private let new: Side
  /// Which of the two is read.
  private(set) var leader: Leader
  private let file: SmallFile<Switch>
  private var failure: (any Error)?

  /// Which one is read.
  enum Leader: String, Codable, Sendable {
    case old, new
  }

  /// What the file holds.
  struct Switch: Codable, Sendable {
    var leader: Leader
  }

  /// One of the two.
  private struct Side {
    let id: String
    let backend: any Backend<Document>
  }

  /// Starts where the file says that the move has come to; without a file at its beginning.
  ///
  /// - Throws: an error where the file is there and cannot be read.
  init(
    from oldID: String, _ old: any Backend<Document>, to newID: String,
    _ new: any Backend<Document>, switchedBy file: SmallFile<Switch>
  ) throws {
    self.file = file
    leader = try file.readIfThere()?.leader ?? .old
    self.old = Side(id: oldID, backend: old)
    self.new = Side(id: newID, backend: new)
  }

  /// Takes notice of what is written next.
  func prepare(_ document: Document) throws {
    try old.backend.prepare(document)
    try new.backend.prepare(document)
  }

  /// Makes the next reads look at the storages themselves.
  func dropCaches() throws {
    try old.backend.dropCaches()
    try new.backend.dropCaches()
  }

  /// Has the new storage take what the old one holds.
  func copy() throws { try new.backend.keep(old.backend.whole()) }

  /// Has one of the two be read from now on, after the next start as well.
  mutating func lead(by leader: Leader) throws {
    try file.write(Switch(leader: leader))
    self.leader = leader
  }

  /// The document, out of the storage that is read.
  func read() throws -> Document {
    try leader == .old ? old.backend.whole() : new.backend.whole()
  }

  /// Stores a document in both.
  ///
  /// - Throws: the old storage's error; the new one is then not written.
  mutating func write(_ document: Document) throws {
    try old.backend.keep(document)
    do {
      try new.backend.keep(document)
      failure = nil
    } catch {
      failure = error
    }
  }

  /// Reads both and compares all of them.
  ///
  /// - Throws: ``WorkloadFailure`` that says how they differ, and why where that is known; a storage's
  ///   error where one cannot be read.
  func compare() throws {
    let (kept, copy) = (try old.backend.whole(), try new.backend.whole())
    let isSame = kept.fingerprint == copy.fingerprint
    guard !isSame || failure != nil else { return }
    let place =
      isSame ? nil : firstDifference(kept, copy) ?? "the order or form of some part"
    let reason = failure.map { "its last write failed: \($0)" }
    throw WorkloadFailure(
      "\(new.id) is out of step with \(old.id): "
        + [place, reason].compactMap { $0 }.joined(separator: "; "))
  }
}

extension Backend {
  fileprivate func keep(_ document: Document) throws { try write(encode(document)) }
}
