import Foundation
import MenuModel
import PersistenceBackends

extension BackendEntry where Document == Menu {
  /// `lmdb-cut`: what a damaged file does to `lmdb`.
  static var lmdbCut: Self {
    Self(id: "lmdb-cut", summary: "lmdb, whose file is cut short after each save") {
      try CutLMDBBackend($0)
    }
  }
}

/// `lmdb`, whose file another program cuts to its two meta pages after each save. LMDB trusts its
/// file: the next read maps a missing page, and the system ends the process.
final class CutLMDBBackend: Backend {
  private let whole: LMDBBackend
  private let file: String

  init(_ store: StoreContext) throws {
    whole = try LMDBBackend(store)
    file = store.path("data.mdb")
  }

  func encode(_ menu: Menu) throws -> MenuEntities { try whole.encode(menu) }

  func write(_ payload: MenuEntities) throws {
    try whole.write(payload)
    guard truncate(file, off_t(2 * getpagesize())) == 0 else {
      throw StoreError(operation: "cut", path: file, reason: "\(errno)")
    }
  }

  func read() throws -> MenuEntities { try whole.read() }

  func decode(_ payload: MenuEntities) throws -> Menu { try whole.decode(payload) }

  func size(of payload: MenuEntities) -> Size { whole.size(of: payload) }

  func close() throws { try whole.close() }
}
