import GRDB
import MenuModel

/// Something that is out of stock.
struct StopListRecord: OrderedRecord {
  static let databaseTableName = "stopListEntry"

  var position: Int
  var entity: Entity
  var entityId: Int
  var until: String?
}

/// The texts of one thing in a further language.
struct TranslationRecord: OrderedRecord {
  static let databaseTableName = "translation"

  var position: Int
  var locale: String
  var entity: Entity
  var entityId: Int
  var name: String
  var details: String?
}

extension StopListRecord {
  init(_ entry: StopListEntry, at position: Int) {
    self.init(
      position: position, entity: entry.entity, entityId: entry.entityID,
      until: entry.until?.stored)
  }

  /// The entry.
  func entry() throws -> StopListEntry {
    StopListEntry(entity: entity, entityID: entityId, until: try until?.restored())
  }
}

extension TranslationRecord {
  init(_ translation: Translation, at position: Int) {
    self.init(
      position: position, locale: translation.locale.stored, entity: translation.entity,
      entityId: translation.entityID, name: translation.name.stored,
      details: translation.details?.stored)
  }

  /// The translation.
  func translation() throws -> Translation {
    Translation(
      locale: try locale.restored(), entity: entity, entityID: entityId,
      name: try name.restored(), details: try details?.restored())
  }
}
