import MenuModel
import PersistenceBackends

/// Two storages that are kept in step while an app moves from one to the other.
///
/// The old one is always written, first, whichever is read: so there is a way back at any time. Where
/// the new one can't be written the app goes on; that the two are out of step shows when they are
/// compared.
struct DualStore<Document: BenchDocument> {
  private let old: Side
  private let new: Side
  private var failure: (any Error)?

  /// One of the two.
  private struct Side {
    let id: String
    let backend: any Backend<Document>
  }

  init(
    from oldID: String, _ old: any Backend<Document>, to newID: String,
    _ new: any Backend<Document>
  ) {
    self.old = Side(id: oldID, backend: old)
    self.new = Side(id: newID, backend: new)
  }

  /// Takes notice of what is written next.
  func prepare(_ document: Document) throws {
    try old.backend.prepare(document)
    try new.backend.prepare(document)
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
    let (kept, copy) = (try old.backend.kept(), try new.backend.kept())
    let isSame = kept.fingerprint == copy.fingerprint
    guard !isSame || failure != nil else { return }
    let place =
      isSame ? nil : firstDifference(kept, copy) ?? "the order or form of some part"
    let reason = failure.map { "its last write failed: \($0)" }
    throw WorkloadFailure(
      "\(new.id) is out of step with \(old.id): "
        + [place, reason].compactMap { $0 }.joined(separator: "; "))
  }

  /// The document as the new storage has it.
  func readNew() throws -> Document { try new.backend.kept() }

  /// The document as the old storage has it.
  func readOld() throws -> Document { try old.backend.kept() }
}

extension Backend {
  fileprivate func keep(_ document: Document) throws { try write(encode(document)) }

  fileprivate func kept() throws -> Document { try decode(read()) }
}
