import MenuModel

/// A backend as the registry lists it: its id, what to say of it, and how to open it.
public struct BackendEntry<Document: BenchDocument>: Sendable {
  /// The id used on the command line, in CSV and in `run.json`.
  public let id: String
  /// One line: what it is and by which library.
  public let summary: String
  /// What a reader of its figures must know, such as that nothing survives a restart.
  public let caveat: String?
  /// Whether what was written is there when the store is opened again.
  public let survivesRestart: Bool
  /// The library that does the work; nil where nobody said.
  public let library: Library?
  /// What it promises beyond keeping a document; a promise that is not among them is not made.
  public let promises: Set<StoragePromise>
  /// Opens a store.
  public let open: @Sendable (StoreContext) throws -> any Backend<Document>

  /// Describes a backend.
  public init(
    id: String, summary: String, caveat: String? = nil, survivesRestart: Bool = true,
    library: Library? = nil, promises: Set<StoragePromise> = [],
    open: @escaping @Sendable (StoreContext) throws -> any Backend<Document>
  ) {
    self.id = id
    self.summary = summary
    self.caveat = caveat
    self.survivesRestart = survivesRestart
    self.library = library
    self.promises = promises
    self.open = open
  }
}

/// Where a backend keeps its files and how safely.
public struct StoreContext: Hashable, Sendable {
  /// An existing folder that nobody else uses; relative to the working folder in a worker, where a
  /// longer path would be a longer string to allocate.
  public let folder: String
  /// What a crash may cost.
  public let durability: Durability

  /// Describes a store.
  public init(folder: String, durability: Durability) {
    self.folder = folder
    self.durability = durability
  }

  /// The path of a file in the store's folder.
  public func path(_ name: String) -> String { folder + "/" + name }
}
