import Foundation
import MenuModel
import PersistenceBackends

/// A store that keeps a menu in memory and does one thing wrong.
package final class FaultyStore: Backend {
  private var kept: Menu?
  private var writes = 0
  private let onWrite: (Int, Menu?, Menu) throws -> Menu?

  /// `onWrite` gets the number of the write from 1, the kept menu and the new one. It returns the
  /// menu to keep.
  package init(onWrite: @escaping (Int, Menu?, Menu) throws -> Menu?) { self.onWrite = onWrite }

  package func encode(_ document: Menu) -> Menu { document }

  package func write(_ payload: Menu) throws {
    writes += 1
    kept = try onWrite(writes, kept, payload)
  }

  package func read() throws -> Menu {
    guard let kept else {
      throw StoreError(operation: "read", path: "memory", reason: "nothing was written")
    }
    return kept
  }

  package func decode(_ payload: Menu) -> Menu { payload }
  package func size(of payload: Menu) -> Size { .unsupported("a test") }
}

extension BackendEntry<Menu> {
  /// Loses the writes of these numbers without a word.
  package static func forgetting(writes: Set<Int>, id: String = "forgetting") -> Self {
    faulty(id) { number, kept, new in writes.contains(number) ? kept : new }
  }

  /// Fails the writes of these numbers.
  package static func failing(writes: Set<Int>, id: String = "failing") -> Self {
    faulty(id) { number, _, new in
      guard !writes.contains(number) else {
        throw StoreError(operation: "write", path: "the/file", reason: "no space")
      }
      return new
    }
  }

  /// Changes every menu that it is given.
  package static func changing(_ change: @escaping @Sendable (inout Menu) -> Void) -> Self {
    faulty("changing") { _, _, new in
      var menu = new
      change(&menu)
      return menu
    }
  }

  private static func faulty(
    _ id: String, _ onWrite: @escaping @Sendable (Int, Menu?, Menu) throws -> Menu?
  ) -> Self {
    BackendEntry(id: id, summary: "does one thing wrong") { _ in FaultyStore(onWrite: onWrite) }
  }
}

/// Keeps menus correctly, and before each read writes other content into a file next to them. Nil
/// removes the file.
package final class Meddling: Backend {
  private let memory = MemoryBackend<Menu>()
  private let path: String
  private let meddle: () throws -> Data?

  package init(_ path: String, _ meddle: @escaping () throws -> Data?) {
    self.path = path
    self.meddle = meddle
  }

  package func encode(_ document: Menu) -> Menu { document }
  package func write(_ payload: Menu) throws { try memory.write(payload) }

  package func read() throws -> Menu {
    if FileManager.default.fileExists(atPath: path) {
      let bytes = try meddle()
      try FileManager.default.removeItem(atPath: path)
      try bytes?.write(to: URL(filePath: path))
    }
    return try memory.read()
  }

  package func decode(_ payload: Menu) -> Menu { payload }
  package func size(of payload: Menu) -> Size { .unsupported("a test") }
}
