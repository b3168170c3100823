import BenchDocuments

extension BackendEntry {
  /// `memory`: the value itself, kept by the process.
  public static var memory: Self {
    Self(
      id: "memory", summary: "the value itself, in the process's memory: the limit of a round trip",
      caveat:
        "memory keeps the value, copies nothing and has no indexes, so it scans for a part. "
        + "Nothing survives the process",
      survivesRestart: false, library: Library.none
    ) { _ in MemoryBackend<Document>() }
    .advised([
      Advice(
        "values share their storage until one changes",
        source: "https://docs.swift.org/swift-book/documentation/the-swift-programming-language/"
          + "classesandstructures/")
    ])
  }
}

/// Keeps the document as it is. Shows what the other backends would cost if their work were free.
package final class MemoryBackend<Document: BenchDocument>: Backend {
  private var kept: Document?

  package init() {}

  /// Returns the document itself: a Swift value shares its storage until it is changed.
  package func encode(_ document: Document) throws -> Document { document }
  package func write(_ payload: Document) throws { kept = payload }

  package func read() throws -> Document {
    guard let kept else {
      throw StoreError(operation: "read", path: "memory", reason: "nothing was written")
    }
    return kept
  }

  package func decode(_ payload: Document) throws -> Document { payload }

  package func size(of payload: Document) -> Size {
    .unsupported("a value in memory is not encoded into bytes")
  }
}
