import BackendKit
import Foundation
import MenuModel

extension BackendEntry where Document == Menu {
  /// `lmdb`: one key per entity, whose value is a protobuf message.
  public static var lmdb: Self {
    Self(
      id: "lmdb", summary: "LMDB: key per entity, protobuf messages, memory-mapped",
      caveat: LMDBPlace.caveat, library: .lmdb, codedBy: .swiftProtobuf, promises: .durable,
      belowFloor: LMDBPlace.belowFloor
    ) { try LMDBBackend($0) }
    .beyond(
      CodecAndPlace(codec: "protobuf", place: "lmdb"),
      "keeps a key per entity, so that a part is read and changed without the rest"
    ).advised(
      LMDBPlace.advice + [
        Advice(
          "keys in order by MDB_APPEND where a database is filled",
          source: "http://www.lmdb.tech/doc/group__mdb.html")
      ])
  }
}

/// A menu in an LMDB store, where each entity has a key of its own. Further keys lead to the products
/// of a category and to the entities that a patch must change.
package final class LMDBBackend: Backend {
  let store: LMDBStore

  /// Opens or creates `data.mdb` and `lock.mdb` in the store's folder.
  ///
  /// - Parameter wait: The longest wait for another writer, in seconds.
  /// - Throws: ``StoreError`` if the file is not LMDB's, has another format or another owner.
  package init(
    _ store: StoreContext, mapSize: Int = LMDBMap.smallest, wait: TimeInterval = 5
  ) throws {
    self.store = try LMDBStore(store, .entities, mapSize: mapSize, wait: wait)
  }

  package func encode(_ document: Menu) throws -> MenuEntities { try MenuEntities(document) }

  /// Replaces the entries in one transaction. After an error the old menu is still there.
  package func write(_ payload: MenuEntities) throws {
    try store.write("write") { try $0.replace(with: payload) }
  }

  /// Copies every entity out of the map in one transaction.
  package func read() throws -> MenuEntities { try store.read { try $0.fetch() } }

  /// Builds the menu from its entities.
  ///
  /// - Throws: ``StoreError`` if the bytes of one are not a message of its kind, or one is missing.
  package func decode(_ payload: MenuEntities) throws -> Menu { try Menu(payload) }
  package func size(of payload: MenuEntities) -> Size { .bytes(payload.bytes) }

  /// Releases the environment, which closes it unless a reader still uses it.
  package func close() throws { store.close() }
}

extension LMDBBackend: ProductReading, ComboReading, MenuPatching {
  package func product(_ id: Int) throws -> Product? { try part { try $0.product(id) } }

  /// Decodes the combo, its lists and its products in one transaction.
  package func combo(_ id: Int) throws -> ResolvedCombo? { try part { try $0.combo(id) } }

  /// Decodes, changes and encodes the entities that the patch affects, in one transaction.
  package func apply(_ patch: MenuPatch) throws {
    try store.write("patch") { try $0.apply(patch) }
  }

  private func part<Part>(_ body: (inout LMDBTransaction) throws -> Part?) throws -> Part? {
    try store.read { transaction in
      if let part = try body(&transaction) { return part }
      try transaction.checkWritten()
      return nil
    }
  }
}

extension LMDBBackend: FirstScreenReading {
  /// Decodes the values of the first screen in one transaction.
  package func firstScreen() throws -> FirstScreen {
    try store.read { transaction in
      try transaction.checkWritten()
      return try transaction.firstScreen()
    }
  }
}

extension LMDBBackend: ProductFiltering {
  /// Decodes the products of the category and filters them in Swift, in one transaction.
  package func products(passing filter: ProductFilter) throws -> [Int] {
    try store.read { transaction in
      try transaction.checkWritten()
      return try transaction.products(passing: filter)
    }
  }
}

extension LMDBBackend: ConcurrentReading {
  /// Opens a reader with its own transactions on the same map. LMDB's readers do not wait for a writer.
  package func openReader() throws -> any Backend<Menu> { try LMDBBackend(store.context) }
}

extension LMDBBackend: SchemaChanging {
  /// Writes the other program's entities. Those that are read unchanged are rewritten only by a patch.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try write(MenuEntities(menu, across: change))
  }
}
