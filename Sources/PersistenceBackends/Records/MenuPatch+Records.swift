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
    var products = try byID(ProductRecord.filter(ids: availability.map(\.productID)).fetchAll(db))
    for change in availability {
      let id = change.productID
      guard try products[id]?.updateChanges(db, modify: { $0.availability = change.availability })
        != nil
      else { throw UnknownPatchTarget(entity: .product, id: id) }
    }
  }

  private func updateVariants(_ db: Database) throws {
    var variants = try byID(VariantRecord.filter(ids: prices.map(\.variantID)).fetchAll(db))
    for change in prices {
      let id = change.variantID
      guard try variants[id]?.updateChanges(db, modify: { $0.price = change.price }) != nil
      else { throw UnknownPatchTarget(entity: .variant, id: id) }
    }
  }

  private func byID<Record: Identifiable>(_ records: [Record]) -> [Record.ID: Record] {
    Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
  }
}
