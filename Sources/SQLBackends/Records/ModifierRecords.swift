import GRDB
import MenuModel

/// A modifier group without its options.
struct ModifierGroupRecord: OrderedRecord {
  static let databaseTableName = "modifierGroup"
  static let options = hasMany(ModifierOptionRecord.self, key: "options").ordered()

  var id: Int
  var position: Int
  var name: String
  var min: Int
  var max: Int
  var free: Int
  var isRequired: Bool

  static func define(_ t: TableDefinition) {
    t.primaryKey("id", .integer)
    t.required(.integer, "position")
    t.required(.text, "name")
    t.required(.integer, "min", "max", "free", "isRequired")
  }
}

/// An option of a modifier group without its prices.
struct ModifierOptionRecord: ListRecord {
  static let databaseTableName = "modifierOption"
  static let owner = "modifierGroup"
  static let prices = hasMany(ModifierPriceRecord.self, key: "prices").ordered()
  static let nextGroups = hasMany(ModifierNextGroupRecord.self, key: "nextGroups").ordered()

  var modifierGroupId: Int
  var position: Int
  var ingredientId: Int

  static func define(_ t: TableDefinition) { t.belongsTo("ingredient", indexed: false).notNull() }
}

/// A record in a list of a modifier option, which has no id of its own.
protocol OfOptionRecord: OrderedRecord {}

extension OfOptionRecord {
  static func createTable(_ db: Database) throws {
    try db.create(table: databaseTableName, options: [.strict, .withoutRowID]) { t in
      t.primaryKey(["modifierGroupId", "optionPosition", "position"])
      t.required(.integer, "modifierGroupId", "optionPosition", "position")
      define(t)
      t.foreignKey(
        ["modifierGroupId", "optionPosition"], references: "modifierOption",
        columns: ["modifierGroupId", "position"])
    }
  }
}

/// The price of a modifier option for one size.
struct ModifierPriceRecord: OfOptionRecord {
  static let databaseTableName = "modifierPrice"

  var modifierGroupId: Int
  var optionPosition: Int
  var position: Int
  var size: String
  var price: Int

  static func define(_ t: TableDefinition) {
    t.required(.text, "size")
    t.required(.integer, "price")
  }
}

/// A modifier group that a modifier option leads to.
struct ModifierNextGroupRecord: OfOptionRecord {
  static let databaseTableName = "modifierNextGroup"

  var modifierGroupId: Int
  var optionPosition: Int
  var position: Int
  var nextGroupId: Int

  static func define(_ t: TableDefinition) {
    t.belongsTo("nextGroup", inTable: "modifierGroup", indexed: false).notNull()
  }
}

/// A modifier group with its options and their prices, fetched by one request.
struct ModifierGroupInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var modifierGroup: ModifierGroupRecord
  var options: [ModifierOptionInfo]

  /// Requests every group, in the order of the menu.
  static var all: QueryInterfaceRequest<ModifierGroupInfo> {
    ModifierGroupRecord.all().ordered()
      .including(
        all: ModifierGroupRecord.options.including(all: ModifierOptionRecord.prices)
          .including(all: ModifierOptionRecord.nextGroups)
      )
      .asRequest(of: ModifierGroupInfo.self)
  }
}

extension ModifierGroupInfo {
  init(_ group: ModifierGroup, at position: Int) {
    modifierGroup = ModifierGroupRecord(
      id: group.id, position: position, name: group.name.stored, min: group.min, max: group.max,
      free: group.free, isRequired: group.isRequired)
    options = group.options.enumerated().map { ModifierOptionInfo($1, of: group.id, at: $0) }
  }

  func group() throws -> ModifierGroup {
    ModifierGroup(
      id: modifierGroup.id, name: try modifierGroup.name.restored(), min: modifierGroup.min,
      max: modifierGroup.max, free: modifierGroup.free, isRequired: modifierGroup.isRequired,
      options: try options.map { option in
        ModifierOption(
          ingredientID: option.option.ingredientId,
          prices: try option.prices.map {
            SizePrice(size: try $0.size.restored(), price: $0.price)
          },
          modifierGroupIDs: option.nextGroups.map(\.nextGroupId))
      })
  }

  /// Passes on the group, then each option with its prices. The groups that options lead to follow
  /// after all groups (``putNext(into:)``).
  func put(into sink: inout some RecordSink) throws {
    try sink.take(modifierGroup)
    for option in options {
      try sink.take(option.option)
      for price in option.prices { try sink.take(price) }
    }
  }

  func putNext(into sink: inout some RecordSink) throws {
    for option in options {
      for next in option.nextGroups { try sink.take(next) }
    }
  }
}

/// A modifier option with its prices.
struct ModifierOptionInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var option: ModifierOptionRecord
  var prices: [ModifierPriceRecord]
  var nextGroups: [ModifierNextGroupRecord]
}

extension ModifierOptionInfo {
  fileprivate init(_ option: ModifierOption, of group: Int, at place: Int) {
    self.option = ModifierOptionRecord(
      modifierGroupId: group, position: place, ingredientId: option.ingredientID)
    prices = option.prices.enumerated().map {
      ModifierPriceRecord(
        modifierGroupId: group, optionPosition: place, position: $0, size: $1.size.stored,
        price: $1.price)
    }
    nextGroups = option.modifierGroupIDs.enumerated().map {
      ModifierNextGroupRecord(
        modifierGroupId: group, optionPosition: place, position: $0, nextGroupId: $1)
    }
  }
}
