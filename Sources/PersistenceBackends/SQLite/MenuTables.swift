/// The menu itself: one row, its own fields only.
struct MenuRow: TableRow {
  var id: Int
  var revision: Int
  var locale: String
  var currency: String
  var city: String

  static let table = Table(
    "menu",
    columns: [
      .integer("id"), .integer("revision"), .text("locale"), .text("currency"), .text("city"),
    ], key: ["id"])
}

extension MenuRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(revision)
    sink.put(locale)
    sink.put(currency)
    sink.put(city)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    revision = row.int()
    locale = try row.text()
    currency = try row.text()
    city = try row.text()
  }
}

/// A category. Its parent may stand anywhere in the menu, so the reference is checked at the commit.
struct CategoryRow: TableRow, Positioned {
  var id: Int
  var position: Int
  var parentID: Int?
  var name: String

  static let table = Table(
    "category",
    columns: [
      .integer("id"), .integer("position"),
      .optionalInteger("parent_id").references("category", deferred: true), .text("name"),
    ], key: ["id"], indexes: ["parent_id"])
}

extension CategoryRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(position)
    sink.put(parentID)
    sink.put(name)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    position = row.int()
    parentID = row.optionalInt()
    name = try row.text()
  }
}

/// An ingredient.
struct IngredientRow: TableRow, Positioned {
  var id: Int
  var position: Int
  var code: String?
  var name: String

  static let table = Table(
    "ingredient",
    columns: [.integer("id"), .integer("position"), .optionalText("code"), .text("name")],
    key: ["id"])
}

extension IngredientRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(position)
    sink.put(code)
    sink.put(name)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    position = row.int()
    code = try row.optionalText()
    name = try row.text()
  }
}

/// An entry of the stop list. It names things of any kind, which no foreign key can say.
struct StopListRow: TableRow {
  var position: Int
  var entity: String
  var entityID: Int
  var until: String?

  static let table = Table(
    "stop_list",
    columns: [
      .integer("position"), .text("entity"), .integer("entity_id"), .optionalText("until"),
    ], key: ["position"])
}

extension StopListRow {
  func put(into sink: inout some ValueSink) {
    sink.put(position)
    sink.put(entity)
    sink.put(entityID)
    sink.put(until)
  }

  init(from row: inout RowReader) throws {
    position = row.int()
    entity = try row.text()
    entityID = row.int()
    until = try row.optionalText()
  }
}

/// The texts of one thing in a further language. It names things of any kind, as ``StopListRow``.
struct TranslationRow: TableRow {
  var position: Int
  var locale: String
  var entity: String
  var entityID: Int
  var name: String
  var details: String?

  static let table = Table(
    "translation",
    columns: [
      .integer("position"), .text("locale"), .text("entity"), .integer("entity_id"),
      .text("name"), .optionalText("details"),
    ], key: ["position"])
}

extension TranslationRow {
  func put(into sink: inout some ValueSink) {
    sink.put(position)
    sink.put(locale)
    sink.put(entity)
    sink.put(entityID)
    sink.put(name)
    sink.put(details)
  }

  init(from row: inout RowReader) throws {
    position = row.int()
    locale = try row.text()
    entity = try row.text()
    entityID = row.int()
    name = try row.text()
    details = try row.optionalText()
  }
}

/// A modifier group without its options.
struct ModifierGroupRow: TableRow, Positioned {
  var id: Int
  var position: Int
  var name: String
  var min: Int
  var max: Int
  var free: Int
  var isRequired: Bool

  static let table = Table(
    "modifier_group",
    columns: [
      .integer("id"), .integer("position"), .text("name"), .integer("min"), .integer("max"),
      .integer("free"), .integer("is_required"),
    ], key: ["id"])
}

extension ModifierGroupRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(position)
    sink.put(name)
    sink.put(min)
    sink.put(max)
    sink.put(free)
    sink.put(isRequired)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    position = row.int()
    name = try row.text()
    min = row.int()
    max = row.int()
    free = row.int()
    isRequired = try row.bool()
  }
}

/// An option of a modifier group without its prices.
struct ModifierOptionRow: TableRow, ChildRow {
  var groupID: Int
  var position: Int
  var ingredientID: Int

  var parent: Int { groupID }

  static let table = Table(
    "modifier_option",
    columns: [
      .integer("group_id").references("modifier_group"), .integer("position"),
      .integer("ingredient_id").references("ingredient"),
    ], key: ["group_id", "position"])
}

extension ModifierOptionRow {
  func put(into sink: inout some ValueSink) {
    sink.put(groupID)
    sink.put(position)
    sink.put(ingredientID)
  }

  init(from row: inout RowReader) throws {
    groupID = row.int()
    position = row.int()
    ingredientID = row.int()
  }
}

/// The price of a modifier option for one size.
struct ModifierPriceRow: TableRow, ChildRow {
  var groupID: Int
  var optionPosition: Int
  var position: Int
  var size: String
  var price: Int

  var parent: Option { Option(groupID: groupID, position: optionPosition) }

  /// What names an option: it has no id of its own.
  struct Option: Hashable, Sendable {
    var groupID: Int
    var position: Int
  }

  static let table = Table(
    "modifier_price",
    columns: [
      .integer("group_id"), .integer("option_position"), .integer("position"), .text("size"),
      .integer("price"),
    ], key: ["group_id", "option_position", "position"],
    constraints: [
      """
      FOREIGN KEY (group_id, option_position) REFERENCES modifier_option (group_id, position)
      """
    ])
}

extension ModifierPriceRow {
  func put(into sink: inout some ValueSink) {
    sink.put(groupID)
    sink.put(optionPosition)
    sink.put(position)
    sink.put(size)
    sink.put(price)
  }

  init(from row: inout RowReader) throws {
    groupID = row.int()
    optionPosition = row.int()
    position = row.int()
    size = try row.text()
    price = row.int()
  }
}
