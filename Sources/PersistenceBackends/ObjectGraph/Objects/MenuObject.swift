/// The root of the graph: the menu without what it lists.
struct MenuObject: StoredObject {
  typealias Owner = Self

  var revision: Int
  var locale: String
  var currency: String
  var city: String

  static let entity = "menu"
  static let columns: [Column] = [
    .integer("revision"), .text("locale"), .text("currency"), .text("city"),
  ]
  static let relations = [
    ToMany(MenuCategories.self), ToMany(MenuIngredients.self), ToMany(MenuModifierGroups.self),
    ToMany(MenuProducts.self), ToMany(MenuOptionLists.self), ToMany(MenuCombos.self),
    ToMany(MenuStopList.self), ToMany(MenuTranslations.self),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.menus }
}

extension MenuObject {
  func put(into sink: inout some ValueSink) {
    sink.put(revision)
    sink.put(locale)
    sink.put(currency)
    sink.put(city)
  }

  init(from row: inout RowReader) throws {
    revision = row.int()
    locale = try row.text()
    currency = try row.text()
    city = try row.text()
  }
}
