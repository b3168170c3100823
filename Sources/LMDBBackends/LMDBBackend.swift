import BackendKit
import Foundation
import MenuModel

extension BackendEntry where Document == Menu {
  /// `lmdb`: a key an entity, whose value is a protobuf message.
  public static var lmdb: Self {
    Self(
      id: "lmdb", summary: "LMDB: a key an entity, protobuf messages, memory-mapped",
      caveat: LMDBPlace.caveat, library: .lmdb, codedBy: .swiftProtobuf, promises: .durable,
      belowFloor: LMDBPlace.belowFloor
    ) { try LMDBBackend($0) }
    .beyond(
      CodecAndPlace(codec: "protobuf", place: "lmdb"),
      "keeps a key an entity, so that a part is read and changed without the rest"
    ).advised(
      LMDBPlace.advice + [
        Advice(
          "keys in order by MDB_APPEND where a database is filled",
          source: "http://www.lmdb.tech/doc/group__mdb.html")
      ])
  }
}

/// A menu in an LMDB store: each entity under a key of its own, and keys that lead to those of a shelf and
/// to those that hold what a patch names.
package final class LMDBBackend: Backend {
  let store: LMDBStore

  /// Opens or creates `data.mdb` and `lock.mdb` in the store's folder.
  ///
  /// - Parameter wait: the bound to the wait for a writer, in seconds.
  /// - Throws: ``StoreError`` where the file is not LMDB's, is of another format, or is somebody else's.
  package init(
    _ store: StoreContext, mapSize: Int = LMDBMap.smallest, wait: TimeInterval = 5
  ) throws {
    self.store = try LMDBStore(store, .entities, mapSize: mapSize, wait: wait)
  }

  package func encode(_ document: Menu) throws -> MenuEntities { try MenuEntities(document) }

  /// Replaces the entries of the old menu in one transaction; an error leaves the old menu.
  package func write(_ payload: MenuEntities) throws {
    try store.write("write") { try $0.replace(with: payload) }
  }

  /// Every entity, copied out of the map in one transaction.
  package func read() throws -> MenuEntities { try store.read { try $0.fetch() } }

  /// The menu that the entities hold.
  ///
  /// - Throws: ``StoreError`` where the bytes of one are none of its kind, or one is missing.
  package func decode(_ payload: MenuEntities) throws -> Menu { try Menu(payload) }
  package func size(of payload: MenuEntities) -> Size { .bytes(payload.bytes) }

  /// Gives the environment back, which closes it unless a reader has it.
  package func close() throws { store.close() }
}

extension LMDBBackend: ProductReading, ComboReading, MenuPatching {
  package func product(_ id: Int) throws -> Product? { try part { try $0.product(id) } }

  /// The combo's value and those of its lists and products, decoded, in one transaction.
  package func combo(_ id: Int) throws -> ResolvedCombo? { try part { try $0.combo(id) } }

  /// Decodes, changes and encodes the entities that hold what the patch names, in one transaction.
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
  /// The values shown, decoded, in one transaction.
  package func firstScreen() throws -> FirstScreen {
    try store.read { transaction in
      try transaction.checkWritten()
      return try transaction.firstScreen()
    }
  }
}

extension LMDBBackend: ProductFiltering {
  /// The products of the category's shelf, decoded and filtered here, in one transaction.
  package func products(passing filter: ProductFilter) throws -> [Int] {
    try store.read { transaction in
      try transaction.checkWritten()
      return try transaction.products(passing: filter)
    }
  }
}

extension LMDBBackend: ConcurrentReading {
  /// A reader with transactions of its own on the same map: LMDB's readers wait for nobody.
  package func openReader() throws -> any Backend<Menu> { try LMDBBackend(store.context) }
}

extension LMDBBackend: SchemaChanging {
  /// As the other program's entities. What is read as it is a patch writes anew, entity by entity.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try write(MenuEntities(menu, across: change))
  }
}
