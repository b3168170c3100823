import MenuModel

extension BackendEntry {
  /// `cached-json`: a value in memory with a JSON file behind it.
  public static var cachedJSON: Self {
    Self(
      id: "cached-json", summary: "the value in memory, a JSON file behind it for the next start",
      caveat: "cached-json reads memory, never the disk, and goes on where the file can't be "
        + "written; such a cell fails when it is closed, so its figures are those of written files",
      library: .foundation,
      promises: Document.self == Menu.self
        ? [.atomic, .durable, .partialRead, .query, .concurrentReader]
        : [.atomic, .durable, .concurrentReader]
    ) { store in
      CachedJSONBackend<Document>(file: store.path("menu.json"), durability: store.durability)
    }
  }
}

/// Keeps a document in memory, and in a JSON file so that it is there at the next start.
///
/// The file is read once, where nothing was written since the store was opened. Where it can't be
/// written, for lack of space say, the value in memory counts all the same, the old file stays whole
/// (unless the durability is `none`), and ``fileFailure`` says why. Any thread may read while another
/// writes: it gets the old value or the new one.
public final class CachedJSONBackend<Document: BenchDocument>: Backend, Sendable {
  let store: CachedStore<Document>
  private let isReader: Bool

  /// Opens a store; its file is not touched until it is needed.
  ///
  /// - Parameter file: the file's path; nil for a value that goes with the process.
  public convenience init(file: String?, durability: Durability = .atomic) {
    self.init(CachedStore(path: file, durability: durability), isReader: false)
  }

  private init(_ store: CachedStore<Document>, isReader: Bool) {
    self.store = store
    self.isReader = isReader
  }

  /// Why the file does not hold what is in memory; nil where it does, or where there is no file.
  public var fileFailure: StorageError? { store.failure }

  /// The value, and its JSON where there is a file.
  public func encode(_ document: Document) throws -> CachedDocument<Document> {
    try store.encode(document)
  }

  /// Keeps the value, then replaces the file. That the file can't be written is no error here: see
  /// ``fileFailure``.
  public func write(_ payload: CachedDocument<Document>) throws { try store.replace(with: payload) }

  /// The value in memory.
  ///
  /// - Throws: ``StorageError`` where there is none and the file is missing or damaged.
  public func read() throws -> CachedDocument<Document> { CachedDocument(try store.value()) }

  /// The value itself.
  public func decode(_ payload: CachedDocument<Document>) throws -> Document { payload.document }

  /// The length of the file's JSON.
  public func size(of payload: CachedDocument<Document>) -> Size {
    payload.fileLength.map(Size.bytes) ?? .unsupported("a value in memory is not made into bytes")
  }

  /// The file's length.
  ///
  /// - Throws: ``fileFailure``, where there is one.
  public func storedSize() throws -> Size { try store.storedSize() }

  /// Does nothing: the value in memory is the store, not a cache of it.
  public func dropCaches() throws {}

  /// Ends the use of the store.
  ///
  /// - Throws: ``fileFailure``, where there is one: what goes with the process now was never saved.
  public func close() throws {
    if !isReader, let failure = fileFailure { throw failure }
  }
}

extension CachedJSONBackend: ConcurrentReading {
  /// Another handle on the same value.
  public func openReader() throws -> any Backend<Document> {
    CachedJSONBackend(store, isReader: true)
  }
}
