import GRDB
import MenuModel

extension MenuPatch {
  /// Updates the records that the patch names. To be called in a transaction.
  ///
  /// - Throws: `UnknownPatchTarget` where there is no such record, ``SQLiteFailure`` where nothing
  ///   was written.
  func update(_ db: Database) throws {
    var menu = try MenuRecord.stored(db)
    try updateProducts(db)
    try updateVariants(db)
    try menu.updateChanges(db) { $0.revision = revision }
  }

  private func updateProducts(_ db: Database) throws {
    let ids = availability.map(\.productID)
    var products = try byID(ProductRecord.filter(ids: ids).fetchAll(db))
    for change in availability {
      let id = change.productID
      try products.update(id, .product, db) { $0.availability = change.availability }
    }
  }

  private func updateVariants(_ db: Database) throws {
    let ids = prices.map(\.variantID)
    var variants = try byID(VariantRecord.filter(ids: ids).fetchAll(db))
    for change in prices {
      try variants.update(change.variantID, .variant, db) { $0.price = change.price }
    }
  }

  private func byID<Record: Identifiable>(_ records: [Record]) -> [Record.ID: Record] {
    Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Dictionary where Key == Int, Value: StoredRecord {
  /// Changes a record and updates the columns that changed.
  fileprivate mutating func update(
    _ id: Int, _ entity: Entity, _ db: Database, _ change: (inout Value) -> Void
  ) throws {
    guard var record = self[id] else { throw UnknownPatchTarget(entity: entity, id: id) }
    try record.updateChanges(db, modify: change)
    self[id] = record
  }
}
