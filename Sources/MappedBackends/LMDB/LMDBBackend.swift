import BackendKit
import CLMDB
import Foundation
import MenuModel

extension BackendEntry where Document == Menu {
  /// `lmdb`: a key an entity, JSON text, memory-mapped.
  public static var lmdb: Self {
    Self(
      id: "lmdb", summary: "LMDB: a key an entity, JSON text, memory-mapped",
      caveat: "LMDB trusts its file, so a page damaged after it was written can end the process "
        + "that reads it, unless a walk over all pages, which is no part of opening, found it "
        + "first; the file never shrinks",
      library: .lmdb, promises: .durable,
      belowFloor: [
        "write":
          "LMDB writes over pages of a file that is there and flushes that, where the floor makes a "
          + "file, flushes it and renames it, as all that keep one file do"
      ]
    ) { try LMDBBackend($0) }
  }
}

/// A menu in an LMDB store: the JSON of each entity under a key of its own.
package final class LMDBBackend: Backend {
  private let store: StoreContext
  private let path: String
  private let coder = EntityCoder()
  private var opened: (folder: LMDBEnvironments.Folder, environment: LMDBEnvironment)?

  /// Opens or creates `data.mdb` and `lock.mdb` in the store's folder; of its pages those are looked at
  /// that opening itself goes through: ``check()`` looks at all.
  ///
  /// - Throws: ``StoreError`` where the file is not LMDB's, is damaged, is of a newer format, or
  ///   is somebody else's.
  package convenience init(_ store: StoreContext) throws {
    try self.init(store, mapSize: LMDBMap.smallest, wait: 5)
  }

  /// Opens with a map of another size, and another bound to the wait for a writer in seconds.
  init(_ store: StoreContext, mapSize: Int, wait: TimeInterval) throws {
    let path = store.path("data.mdb")
    self.store = store
    self.path = path
    opened = try located("open", path) {
      let opened = try LMDBEnvironments.take(store.folder, mapSize: mapSize, wait: wait)
      do { try LMDBFlush(store.durability).keepNames(in: store.folder) } catch {
        LMDBEnvironments.giveBack(opened.folder)
        throw error
      }
      return opened
    }
  }

  deinit { giveBack() }

  /// The menu as entities in JSON.
  package func encode(_ document: Menu) throws -> MenuEntities { try MenuEntities(document, coder) }

  /// Replaces the entries of the old menu in one transaction; an error leaves the old menu.
  package func write(_ payload: MenuEntities) throws {
    try located("write", path) {
      try environment().write(store.durability) { try $0.replace(with: payload) }
    }
  }

  /// Every entity, copied out of the map in one transaction.
  package func read() throws -> MenuEntities { try reading { try $0.fetch() } }

  /// The menu that the entities hold.
  ///
  /// - Throws: ``StoreError`` where one is no JSON of its kind, or is missing.
  package func decode(_ payload: MenuEntities) throws -> Menu { try Menu(payload, coder) }

  /// The bytes of the JSON.
  package func size(of payload: MenuEntities) -> Size { .bytes(payload.bytes) }

  /// Gives the environment back, which closes it unless a reader has it.
  package func close() throws { giveBack() }

  /// The size of the map.
  func mapSize() throws -> Int { try located("read", path) { try environment().mapSize } }

  private func environment() throws -> LMDBEnvironment {
    guard let opened else { throw LMDBFailure("the store is closed") }
    return opened.environment
  }

  private func giveBack() {
    if let opened { LMDBEnvironments.giveBack(opened.folder) }
    opened = nil
  }

  private func reading<Result>(_ body: (inout LMDBTransaction) throws -> Result) throws -> Result {
    try located("read", path) {
      try environment().read(body)
    }
  }
}

extension LMDBBackend: ProductReading, ComboReading, MenuPatching {
  /// The product's value, decoded.
  package func product(_ id: Int) throws -> Product? { try part { try $0.product(id, coder) } }

  /// The combo's value and those of its lists and products, decoded, in one transaction.
  package func combo(_ id: Int) throws -> ResolvedCombo? { try part { try $0.combo(id, coder) } }

  /// Decodes, changes and encodes the entities that hold what the patch names, in one transaction.
  package func apply(_ patch: MenuPatch) throws {
    try located("patch", path) {
      try environment().write(store.durability) { try $0.apply(patch, coder) }
    }
  }

  private func part<Part>(_ body: (inout LMDBTransaction) throws -> Part?) throws -> Part? {
    try reading { transaction in
      if let part = try body(&transaction) { return part }
      try transaction.checkWritten()
      return nil
    }
  }
}

extension LMDBBackend: FirstScreenReading {
  /// The values shown, decoded, in one transaction; and every product, to find those of the shelf.
  package func firstScreen() throws -> FirstScreen {
    try reading { transaction in
      try transaction.checkWritten()
      return try transaction.firstScreen(coder)
    }
  }
}

extension LMDBBackend: StoreChecking {
  /// Walks over every page in use, as ``LMDBFileCheck`` says; no value is read.
  package func check() throws { try located("check", path) { try environment().check() } }
}

extension LMDBBackend: ConcurrentReading {
  /// A reader with transactions of its own on the same map: LMDB's readers wait for nobody.
  package func openReader() throws -> any Backend<Menu> { try LMDBBackend(store) }
}

extension LMDBBackend: SchemaChanging {
  /// As the other program's entities. What is read as it is a patch writes anew, entity by entity.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try write(MenuEntities(menu, across: change, coder))
  }
}

/// Why an LMDB store could not be used.
struct LMDBFailure: StoreFault {
  /// What is wrong.
  let reason: String
  /// LMDB's or the system's code; 0 where the fault is our finding.
  let code: Int32

  /// What we found wrong.
  init(_ reason: String) {
    self.reason = reason
    code = 0
  }

  /// What LMDB said.
  init(code: Int32) {
    let text = mdb_strerror(code).map { String(cString: $0) } ?? "failed"
    reason = code < 0 ? "\(text) (LMDB \(code))" : text
    self.code = code
  }

  /// Throws unless a call succeeded.
  static func check(_ code: Int32) throws(LMDBFailure) {
    guard code == MDB_SUCCESS else { throw LMDBFailure(code: code) }
  }
}
