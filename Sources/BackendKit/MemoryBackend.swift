import MenuModel

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
      throw StoreError(operation: "read", path: "memory", reason: "nothing was written")
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
