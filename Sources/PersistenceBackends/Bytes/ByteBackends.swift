import MenuModel

extension BackendEntry {
  /// `json`: what `JSONEncoder` makes, in one file.
  public static var json: Self {
    Self(
      id: "json", summary: "JSON by Foundation's JSONEncoder, in one file",
      library: .foundation, promises: .durable, codec: JSONCodec()
    ) { FilePlace($0, name: "menu.json") }
  }
}

extension BackendEntry {
  /// `plist`: what `PropertyListEncoder` makes in its binary format, in one file.
  public static var plist: Self {
    Self(
      id: "plist", summary: "binary property list by Foundation's PropertyListEncoder, in one file",
      caveat: "plist keeps one of two leaves that Foundation holds equal: the NFC and NFD forms of "
        + "one text, 0 and -0",
      library: .foundation, promises: .durable,
      codec: PropertyListCodec()
    ) { FilePlace($0, name: "menu.plist") }
  }
}

extension BackendEntry {
  /// `json-zstd`: what `JSONEncoder` makes, compressed, in one file.
  public static var jsonZstd: Self {
    Self(
      id: "json-zstd", summary: "JSON by Foundation, compressed by zstd at level 3, in one file",
      library: .zstd, promises: .durable
    ) { store in
      CodecBackend(
        storing: Document.self, codec: try ZstdCodec(wrapping: JSONCodec(), level: 3),
        place: FilePlace(store, name: "menu.json.zst"))
    }
  }
}

extension BackendEntry {
  /// `sqlite-blob`: what `JSONEncoder` makes, in one row of an SQLite table.
  public static var sqliteBlob: Self {
    Self(
      id: "sqlite-blob",
      summary: "JSON by Foundation's JSONEncoder, in one row of an SQLite table by GRDB",
      caveat: "sqlite-blob copies its log into the database in the commit that takes it past 1,000 "
        + "pages: documents above 4 MB pay for it with every write",
      library: .grdb, promises: .durable
    ) { store in
      CodecBackend(
        storing: Document.self, codec: JSONCodec(),
        place: try SQLiteRowPlace(store, name: "menu-blob.sqlite"))
    }
  }
}

extension BackendEntry {
  /// `userdefaults`: a binary property list as a value in the preferences store.
  public static var userDefaults: Self {
    Self(
      id: "userdefaults",
      summary: "a property list under one key of UserDefaults, known to be the wrong place",
      caveat: "userdefaults does the same at every durability: on Linux it rewrites its file in "
        + "place and flushes it, so that a crash may leave no menu; it keeps one of two leaves "
        + "that Foundation holds equal, as plist does",
      library: .foundation
    ) { store in
      CodecBackend(
        storing: Document.self, codec: PropertyListCodec(),
        place: try UserDefaultsPlace(store, name: "preferences"))
    }
  }
}

extension BackendEntry {
  /// `memory`: the value itself, kept by the process.
  public static var memory: Self {
    Self(
      id: "memory", summary: "the value itself, kept in the process's memory: what is attainable",
      caveat: "memory keeps the value and copies nothing; nothing survives the process",
      survivesRestart: false, library: Library.none
    ) { _ in MemoryBackend<Document>() }
  }
}

/// Keeps the document as it is: what the other backends' work would cost if it cost nothing.
public final class MemoryBackend<Document: BenchDocument>: Backend {
  private var kept: Document?

  /// Makes an empty store.
  public init() {}

  /// The document itself: a Swift value is shared until somebody changes it.
  public func encode(_ document: Document) throws -> Document { document }

  /// Keeps the value.
  public func write(_ payload: Document) throws { kept = payload }

  /// The value kept.
  public func read() throws -> Document {
    guard let kept else {
      throw StorageError(operation: "read", path: "memory", reason: "nothing was written")
    }
    return kept
  }

  /// The document itself.
  public func decode(_ payload: Document) throws -> Document { payload }

  /// A value in memory has no bytes of its own.
  public func size(of payload: Document) -> Size {
    .unsupported("a value in memory is not made into bytes")
  }

  /// There are no files.
  public func storedSize() throws -> Size { .unsupported("nothing is stored outside the process") }
}
