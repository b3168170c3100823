import BackendKit
import Foundation
import MenuModel

/// A store of a backend that does not migrate, as an app without migrations keeps it. A stamp next
/// to the store names the schema of the program that wrote it. A program with another schema
/// discards the store and stores a newly fetched menu.
///
/// The stamp is invalidated before the old store is touched, and written when the new one is
/// complete. A crash in between leaves a store that every program discards.
package struct StampedStore {
  private let entry: BackendEntry<Menu>
  private let store: StoreContext
  private let path: String
  private let stamp: WholeFile

  /// Describes a store in its own folder. Opens nothing.
  package init(_ entry: BackendEntry<Menu>, in folder: StoreContext) {
    self.entry = entry
    store = StoreContext(folder: folder.path("store"), durability: folder.durability)
    path = folder.path("schema")
    // A torn stamp could lose one of two digits, so it is written at `atomic` at least.
    stamp = WholeFile(
      path: path, durability: folder.durability == .none ? .atomic : folder.durability)
  }

  /// The schema of the program that wrote the store. Nil if there is none or it is incomplete.
  ///
  /// - Throws: ``StoreError`` if the stamp exists but can't be read, which is not a reason to
  ///   discard anything.
  package var schema: Int? {
    get throws {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      return Int(String(decoding: try stamp.read(), as: UTF8.self))
    }
  }

  /// Opens the store as a program with a schema.
  ///
  /// - Parameters:
  ///   - schema: the program's schema.
  ///   - fetch: fetches the document to store if the store does not have that schema.
  /// - Throws: ``StoreError``, or the error of `fetch`, which leaves the store unchanged.
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

  /// Opens the store if it has a schema. Returns nil if it has another one or none.
  package func openKept(asSchema schema: Int) throws -> (any Backend<Menu>)? {
    try self.schema == schema ? entry.open(store) : nil
  }

  /// Opens an empty store in place of the old one. It has no schema until something is kept in it.
  package func discard() throws -> any Backend<Menu> {
    try mark("none")
    try store.empty()
    return try entry.open(store)
  }

  /// Stores a document in the emptied store, which then has a schema. Throws ``StoreError``.
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
