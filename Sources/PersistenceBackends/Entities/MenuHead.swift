import MenuModel

/// The menu's own fields, and its stop list, which is short and always wanted whole.
struct MenuHead: Codable, Hashable {
  var id: Int
  var revision: Int
  var locale: String
  var currency: String
  var city: String
  var stopList: [StopListEntry]

  init(_ menu: Menu) {
    id = menu.id
    revision = menu.revision
    locale = menu.locale
    currency = menu.currency
    city = menu.city
    stopList = menu.stopList
  }
}
