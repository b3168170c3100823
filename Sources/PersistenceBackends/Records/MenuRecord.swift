import GRDB
import MenuModel

/// The menu's own fields: a table of one row.
struct MenuRecord: StoredRecord {
  static let databaseTableName = "menu"

  var id: Int
  var revision: Int
  var locale: String
  var currency: String
  var city: String
}

extension MenuRecord {
  init(_ menu: Menu) {
    self.init(
      id: menu.id, revision: menu.revision, locale: menu.locale.stored,
      currency: menu.currency.stored, city: menu.city.stored)
  }
}
