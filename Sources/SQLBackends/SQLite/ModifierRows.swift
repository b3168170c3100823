import BackendKit
import MenuModel

/// The rows of modifier groups and their options.
struct ModifierRows: Hashable, Sendable {
  var groups: [ModifierGroupRow] = []
  var options: [ModifierOptionRow] = []
  var prices: [ModifierPriceRow] = []
  var nextGroups: [ModifierNextGroupRow] = []
}

extension ModifierRows {
  init(_ all: [ModifierGroup]) {
    for index in all.indices(by: \.id) {
      let group = all[index]
      groups.append(
        ModifierGroupRow(
          id: group.id, position: index, name: group.name, min: group.min, max: group.max,
          free: group.free, isRequired: group.isRequired))
      for (position, option) in group.options.enumerated() {
        add(option, of: group.id, at: position)
      }
    }
  }

  private mutating func add(_ option: ModifierOption, of group: Int, at position: Int) {
    options.append(
      ModifierOptionRow(parent: group, position: position, ingredientID: option.ingredientID))
    let key = ModifierOptionRow.Option(groupID: group, position: position)
    for (tier, price) in option.prices.enumerated() {
      prices.append(
        ModifierPriceRow(parent: key, position: tier, size: price.size, price: price.price))
    }
    for (place, next) in option.modifierGroupIDs.enumerated() {
      nextGroups.append(ModifierNextGroupRow(parent: key, position: place, nextGroupID: next))
    }
  }

  /// Builds the groups in the order of the menu. Throws ``StoreError`` if rows contradict each other.
  func modifierGroups() throws -> [ModifierGroup] {
    var options = Children(options)
    var prices = Children(prices)
    var nextGroups = Children(nextGroups)
    let groups = groups.map { row in
      ModifierGroup(
        id: row.id, name: row.name, min: row.min, max: row.max, free: row.free,
        isRequired: row.isRequired,
        options: options.next(of: row.id).map { option in
          let key = ModifierOptionRow.Option(groupID: option.parent, position: option.position)
          return ModifierOption(
            ingredientID: option.ingredientID,
            prices: prices.next(of: key).map { SizePrice(size: $0.size, price: $0.price) },
            modifierGroupIDs: nextGroups.next(of: key).map(\.nextGroupID))
        })
    }
    try options.finish()
    try prices.finish()
    try nextGroups.finish()
    return groups.arranged(by: self.groups)
  }
}

/// A modifier group without its options.
struct ModifierGroupRow: TableRow, Positioned {
  static let table = Table("modifier_group", columns: columns, key: ["id"])

  var id = 0
  var position = 0
  var name = ""
  var min = 0
  var max = 0
  var free = 0
  var isRequired = false

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.field("position", &position)
    try visitor.field("name", &name)
    try visitor.field("min", &min)
    try visitor.field("max", &max)
    try visitor.field("free", &free)
    try visitor.field("is_required", &isRequired)
  }
}

/// An option of a modifier group without its prices.
struct ModifierOptionRow: TableRow, ChildRow {
  static let table = Table("modifier_option", columns: columns, key: ["group_id", "position"])

  var parent = 0
  var position = 0
  var ingredientID = 0

  /// Identifies an option, which has no id of its own.
  struct Option: Hashable, Sendable {
    static let reference =
      "FOREIGN KEY (group_id, option_position) REFERENCES modifier_option (group_id, position)"

    var groupID = 0
    var position = 0
  }

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("group_id", &parent, to: "modifier_group")
    try visitor.field("position", &position)
    try visitor.reference("ingredient_id", &ingredientID, to: "ingredient")
  }
}

/// The price of a modifier option for one size.
struct ModifierPriceRow: TableRow, ChildRow {
  static let table = Table(
    "modifier_price", columns: columns, key: ["group_id", "option_position", "position"],
    constraints: [ModifierOptionRow.Option.reference])

  var parent = ModifierOptionRow.Option()
  var position = 0
  var size = ""
  var price = 0

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("group_id", &parent.groupID)
    try visitor.field("option_position", &parent.position)
    try visitor.field("position", &position)
    try visitor.field("size", &size)
    try visitor.field("price", &price)
  }
}

/// A modifier group that a modifier option leads to.
struct ModifierNextGroupRow: TableRow, ChildRow {
  static let table = Table(
    "modifier_next_group", columns: columns, key: ["group_id", "option_position", "position"],
    constraints: [ModifierOptionRow.Option.reference])

  var parent = ModifierOptionRow.Option()
  var position = 0
  var nextGroupID = 0

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("group_id", &parent.groupID)
    try visitor.field("option_position", &parent.position)
    try visitor.field("position", &position)
    try visitor.reference("next_group_id", &nextGroupID, to: "modifier_group")
  }
}
