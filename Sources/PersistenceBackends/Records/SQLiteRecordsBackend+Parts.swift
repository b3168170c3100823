import GRDB
import MenuModel

extension SQLiteRecordsBackend: ProductReading {
  /// The product by a request that includes what belongs to it: a statement for each association.
  public func product(_ id: Int) throws -> Product? {
    try reading { db in
      try ProductInfo.request(ProductRecord.filter(id: id)).fetchOne(db)?.whole()
    }
  }
}

extension SQLiteRecordsBackend: ComboReading {
  /// The combo by one request that includes slots, options and shared lists, its products by another.
  public func combo(_ id: Int) throws -> ResolvedCombo? {
    try reading { db in
      let request = ResolvedComboInfo.request(ComboRecord.filter(id: id))
      guard let combo = try request.fetchOne(db) else { return nil }
      let products = ProductRecord.filter(ids: combo.productIds)
      return try combo.resolved(
        try ProductInfo.request(products).fetchAll(db).map { try $0.whole() })
    }
  }
}

extension SQLiteRecordsBackend: FirstScreenReading {
  /// The categories, the products of one and the first combos, each by a request that includes what
  /// belongs to them.
  public func firstScreen() throws -> FirstScreen {
    try reading { db in
      _ = try MenuRecord.stored(db)
      return try ScreenInfo(db).whole()
    }
  }
}

extension SQLiteRecordsBackend: NameSearching {
  /// Filters by an SQL function on every product's name; the few found are sorted here, as SQL sees
  /// names only as they are stored.
  public func products(named query: String) throws -> [Int] {
    try reading { db in
      try ProductName.request(named: query).fetchAll(db)
        .map { (id: $0.id, key: NameSearch.key(try $0.name.restored())) }
        .sorted(by: NameSearch.precedes).map(\.id)
    }
  }
}

extension SQLiteRecordsBackend: MenuPatching {
  /// Fetches the records that change, and updates their changed columns, in one transaction.
  public func apply(_ patch: MenuPatch) throws {
    try accessing("write") { try $0.write { try patch.update($0) } }
  }
}

extension SQLiteRecordsBackend: ConcurrentReading {
  /// Another handle on the same connections, which GRDB shares between threads. Readers go on while
  /// the writer writes; at durability `none`, where there is one connection, they take turns.
  public func openReader() throws -> any Backend<Menu> {
    try accessing("open") { SQLiteRecordsBackend(sharing: $0, of: self) }
  }
}
