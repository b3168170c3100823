import MenuModel
import Synchronization

/// A value in memory with the indexes made of it, which go when the value is replaced.
final class KeptValue<Document: BenchDocument>: Sendable {
  let document: Document
  let fileLength: Int?
  private let indexes = Mutex<[ObjectIdentifier: any Sendable]>([:])

  init(_ document: Document, fileLength: Int?) {
    self.document = document
    self.fileLength = fileLength
  }

  /// The index of that type, made when it is first asked for.
  func index<Index: AnyObject & Sendable>(_ make: (Document) -> Index) -> Index {
    indexes.withLock { indexes in
      let key = ObjectIdentifier(Index.self)
      if let made = indexes[key] as? Index { return made }
      let made = make(document)
      indexes[key] = made
      return made
    }
  }
}
