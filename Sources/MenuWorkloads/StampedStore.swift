import BackendKit
import Foundation
import MenuModel

/// A store of a backend that changes no schemas, as an app without migrations keeps it: beside the
/// store stands the schema of the program that wrote it, and a program of another one discards the
/// store and keeps what it fetches anew.
///
/// The stamp is taken away before the old store is touched and put there once the new one is
/// complete, so that a crash between leaves a store that every program discards.
package struct StampedStore {
  private let entry: BackendEntry<Menu>
  private let store: StoreContext
  private let path: String
  private let stamp: WholeFile

  /// Describes a store in a folder of its own; nothing is opened.
  package init(_ entry: BackendEntry<Menu>, in folder: StoreContext) {
    self.entry = entry
    store = StoreContext(folder: folder.path("store"), durability: folder.durability)
    path = folder.path("schema")
    // Torn, a stamp of two digits could be read as one of one.
    stamp = WholeFile(
      path: path, durability: folder.durability == .none ? .atomic : folder.durability)
  }

  /// The schema of the program that wrote the store; nil where there is none, or none that is whole.
  ///
  /// - Throws: ``StoreError`` where the stamp is there and cannot be read: that is no reason to
  ///   discard anything.
  package var schema: Int? {
    get throws {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      return Int(String(decoding: try stamp.read(), as: UTF8.self))
    }
  }

  /// Opens the store as a program of a schema.
  ///
  /// - Parameters:
  ///   - schema: the program's.
  ///   - fetch: brings the document that is stored where the store is not of that schema.
  /// - Throws: ``StoreError``; what `fetch` throws, with the store as it was.
  package func open(
    asSchema schema: Int, fetching fetch: () throws -> Menu
  ) throws -> any Backend<Menu> {
    if let backend = try openKept(asSchema: schema) { return backend }
    let document = try fetch()
    let backend = try discard()
    try backend.prepare(document)
    try keep(document, in: backend, asSchema: schema)
    return backend
  }

  /// Opens the store where it is of a schema; nil where it is of another or of none.
  package func openKept(asSchema schema: Int) throws -> (any Backend<Menu>)? {
    try self.schema == schema ? entry.open(store) : nil
  }

  /// Opens an empty store in the place of what is there, of no schema until something is kept in it.
  package func discard() throws -> any Backend<Menu> {
    try mark("none")
    try store.empty()
    return try entry.open(store)
  }

  /// Stores a document in the emptied store, which then is of a schema; throws ``StoreError``.
  package func keep(
    _ document: Menu, in backend: any Backend<Menu>, asSchema schema: Int
  ) throws {
    try backend.put(document)
    try mark(String(schema))
  }

  private func mark(_ text: String) throws {
    try Data(text.utf8).withUnsafeBytes { try stamp.write($0) }
  }
}
