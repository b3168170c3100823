import Foundation
import MenuModel
import Synchronization

/// A value in memory and the file behind it, for any number of threads.
///
/// Readers take the value under a lock that is held for no longer than it takes to copy a reference;
/// those who write or load the file have a lock of their own.
final class CachedStore<Document: BenchDocument>: Sendable {
  private let path: String?
  private let durability: Durability
  private let codec = JSONCodec()
  private let writing = NSLock()
  private let state = Mutex(State())

  private struct State {
    var kept: KeptValue<Document>?
    var failure: StorageError?
  }

  init(path: String?, durability: Durability) {
    self.path = path
    self.durability = durability
  }

  /// Why the file does not hold the value; nil where it does, or where there is no file.
  var failure: StorageError? { state.withLock { $0.failure } }

  /// A document with the JSON that the file will hold.
  func encode(_ document: Document) throws -> CachedDocument<Document> {
    CachedDocument(document, json: path == nil ? nil : try codec.encode(document))
  }

  /// Keeps a document, then writes its file as far as that can be done.
  func replace(with payload: CachedDocument<Document>) throws {
    let new = payload.json == nil ? try encode(payload.document) : payload
    writing.withLock { store(new) }
  }

  /// Changes what is kept, with no other change between.
  func change(_ change: (inout Document) throws -> Void) throws {
    try writing.withLock {
      var document = try loaded().document
      try change(&document)
      store(try encode(document))
    }
  }

  /// The value in memory; from the file where nobody read or wrote since the store was opened.
  func value() throws -> KeptValue<Document> {
    if let kept = state.withLock({ $0.kept }) { return kept }
    return try writing.withLock { try loaded() }
  }

  /// The file's length.
  func storedSize() throws -> Size {
    if let failure { throw failure }
    guard let path else { return .unsupported("there is no file") }
    return .bytes(try WholeFile(path: path, durability: durability).length())
  }

  private func store(_ new: CachedDocument<Document>) {
    keep(KeptValue(new.document, fileLength: new.fileLength))
    let failure = save(new.json)
    state.withLock { $0.failure = failure }
  }

  private func keep(_ value: KeptValue<Document>) {
    // Freeing what was kept takes long: not while readers wait.
    let old = state.withLock { state in
      let old = state.kept
      state.kept = value
      return old
    }
    withExtendedLifetime(old) {}
  }

  private func save(_ json: Data?) -> StorageError? {
    guard let path, let json else { return nil }
    do {
      let file = WholeFile(path: path, durability: durability)
      try json.withUnsafeBytes { try file.write($0) }
      return nil
    } catch {
      return error as? StorageError
        ?? StorageError(operation: "write", path: path, reason: "\(error)")
    }
  }

  private func loaded() throws -> KeptValue<Document> {
    if let kept = state.withLock({ $0.kept }) { return kept }
    guard let path else {
      throw StorageError(operation: "read", path: "memory", reason: "nothing was written")
    }
    let json = try WholeFile(path: path, durability: durability).read()
    let value = KeptValue(try decode(json, path), fileLength: json.count)
    keep(value)
    return value
  }

  private func decode(_ json: Data, _ path: String) throws -> Document {
    do {
      return try codec.decode(Document.self, from: json)
    } catch {
      throw StorageError(
        operation: "read", path: path, reason: "its \(json.count) bytes are no such JSON: \(error)")
    }
  }
}
