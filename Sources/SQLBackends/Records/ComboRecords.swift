import BackendKit
import Basics
import GRDB
import MenuModel

/// An option list that slots share, without its options.
struct OptionListRecord: OrderedRecord {
  static let databaseTableName = "optionList"
  static let options = hasMany(ListOptionRecord.self, key: "options").ordered()

  var id: Int
  var position: Int

  static func define(_ t: TableDefinition) {
    t.primaryKey("id", .integer)
    t.required(.integer, "position")
  }
}

/// An option of a shared list or of a slot's own list.
///
/// An embedded product is stored once, in its own table, and `embedsProduct` is true.
protocol OptionRecord: ListRecord {
  var productId: Int { get }
  var variantId: Int? { get }
  var surcharge: Int { get }
  var embedsProduct: Bool { get }
}

extension OptionRecord {
  static func define(_ t: TableDefinition) {
    t.belongsTo("product", indexed: false).notNull()
    t.belongsTo("variant", indexed: false)
    t.required(.integer, "surcharge", "embedsProduct")
  }

  /// Builds the option. If it embeds a product, takes that from the catalogue.
  func option(_ catalogue: Catalogue) throws -> SlotOption {
    SlotOption(
      productID: productId, variantID: variantId, surcharge: surcharge,
      product: embedsProduct ? try catalogue.product(productId) : nil)
  }
}

struct ListOptionRecord: OptionRecord {
  static let databaseTableName = "listOption"
  static let owner = "optionList"

  var optionListId: Int
  var position: Int
  var productId: Int
  var variantId: Int?
  var surcharge: Int
  var embedsProduct: Bool
}

struct SlotOptionRecord: OptionRecord {
  static let databaseTableName = "slotOption"
  static let owner = "slot"

  var slotId: Int
  var position: Int
  var productId: Int
  var variantId: Int?
  var surcharge: Int
  var embedsProduct: Bool
}

/// A combo without its slots.
struct ComboRecord: OrderedRecord, Identifiable {
  static let databaseTableName = "combo"
  static let slots = hasMany(SlotRecord.self, key: "slots").ordered()

  var id: Int
  var position: Int
  var code: String?
  var name: String
  var details: String
  var price: Int?
  var oldPrice: Int?
  var image: String

  static func define(_ t: TableDefinition) {
    t.primaryKey("id", .integer)
    t.required(.integer, "position")
    t.column("code", .text)
    t.required(.text, "name", "details")
    t.column("price", .integer)
    t.column("oldPrice", .integer)
    t.required(.text, "image")
  }
}

extension ComboRecord {
  func combo(_ slots: [Slot]) throws -> Combo {
    Combo(
      id: id, code: try code?.restored(), name: try name.restored(),
      details: try details.restored(), price: price, oldPrice: oldPrice,
      image: try image.restored(), slots: slots)
  }
}

/// A slot of a combo without its options.
struct SlotRecord: OrderedRecord {
  static let databaseTableName = "slot"
  static let options = hasMany(SlotOptionRecord.self, key: "options").ordered()
  static let optionList = belongsTo(OptionListRecord.self, key: "optionList")

  var id: Int
  var comboId: Int
  var position: Int
  var name: String
  var min: Int
  var max: Int
  var optionListId: Int?
  /// Distinguishes an own list that is empty from a slot without an own list.
  var hasOwnOptions: Bool
  var defaultProductId: Int?

  static func define(_ t: TableDefinition) {
    t.primaryKey("id", .integer)
    t.belongsTo("combo").notNull()
    t.required(.integer, "position")
    t.required(.text, "name")
    t.required(.integer, "min", "max")
    t.belongsTo("optionList", indexed: false)
    t.required(.integer, "hasOwnOptions")
    t.belongsTo("defaultProduct", inTable: "product", indexed: false)
  }
}

extension SlotRecord {
  /// Builds the slot. Its own options count only if `hasOwnOptions` is true.
  func slot(_ options: [SlotOptionRecord], _ catalogue: Catalogue) throws -> Slot {
    Slot(
      id: id, name: try name.restored(), min: min, max: max, optionListID: optionListId,
      options: hasOwnOptions ? try options.map { try $0.option(catalogue) } : nil,
      defaultProductID: defaultProductId)
  }
}

/// A shared list with its options, fetched by one request.
struct OptionListInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var optionList: OptionListRecord
  var options: [ListOptionRecord]

  /// Requests every list, in the order of the menu.
  static var all: QueryInterfaceRequest<OptionListInfo> {
    OptionListRecord.all().ordered()
      .including(all: OptionListRecord.options)
      .asRequest(of: OptionListInfo.self)
  }
}

extension OptionListInfo {
  /// Throws ``StoreError`` if an embedded product differs from the menu's own.
  init(_ list: OptionList, at position: Int, _ catalogue: Catalogue) throws {
    optionList = OptionListRecord(id: list.id, position: position)
    options = try list.options.enumerated().map { position, option in
      try option.product.map { try catalogue.check($0, of: option) }
      return ListOptionRecord(
        optionListId: list.id, position: position, productId: option.productID,
        variantId: option.variantID, surcharge: option.surcharge,
        embedsProduct: option.product != nil)
    }
  }

  func list(_ catalogue: Catalogue) throws -> OptionList {
    OptionList(id: optionList.id, options: try options.map { try $0.option(catalogue) })
  }

  func put(into sink: inout some RecordSink) throws {
    try sink.take(optionList)
    for option in options { try sink.take(option) }
  }
}

/// A combo with its slots and their own options, fetched by one request.
struct ComboInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var combo: ComboRecord
  var slots: [SlotInfo]

  /// Requests every combo, in the order of the menu.
  static var all: QueryInterfaceRequest<ComboInfo> {
    ComboRecord.all().ordered()
      .including(all: ComboRecord.slots.including(all: SlotRecord.options))
      .asRequest(of: ComboInfo.self)
  }
}

extension ComboInfo {
  /// Throws ``StoreError`` if an embedded product differs from the menu's own.
  init(_ combo: Combo, at position: Int, _ catalogue: Catalogue) throws {
    self.combo = ComboRecord(
      id: combo.id, position: position, code: combo.code?.stored, name: combo.name.stored,
      details: combo.details.stored, price: combo.price, oldPrice: combo.oldPrice,
      image: combo.image.stored)
    slots = try combo.slots.enumerated().map {
      try SlotInfo($1, of: combo.id, at: $0, catalogue)
    }
  }

  func whole(_ catalogue: Catalogue) throws -> Combo {
    try combo.combo(try slots.map { try $0.slot.slot($0.options, catalogue) })
  }

  func put(into sink: inout some RecordSink) throws {
    try sink.take(combo)
    for slot in slots {
      try sink.take(slot.slot)
      for option in slot.options { try sink.take(option) }
    }
  }
}

/// A slot with its own options.
struct SlotInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var slot: SlotRecord
  var options: [SlotOptionRecord]
}

extension SlotInfo {
  fileprivate init(
    _ slot: Slot, of combo: Int, at position: Int, _ catalogue: Catalogue
  ) throws {
    self.slot = SlotRecord(
      id: slot.id, comboId: combo, position: position, name: slot.name.stored, min: slot.min,
      max: slot.max, optionListId: slot.optionListID, hasOwnOptions: slot.options != nil,
      defaultProductId: slot.defaultProductID)
    options = try (slot.options ?? []).enumerated().map { position, option in
      try option.product.map { try catalogue.check($0, of: option) }
      return SlotOptionRecord(
        slotId: slot.id, position: position, productId: option.productID,
        variantId: option.variantID, surcharge: option.surcharge,
        embedsProduct: option.product != nil)
    }
  }
}

/// A combo whose slots contain their options, whether shared or own.
struct ResolvedComboInfo: Decodable, FetchableRecord {
  var combo: ComboRecord
  var slots: [ResolvedSlotInfo]

  static func request(
    _ combos: QueryInterfaceRequest<ComboRecord>
  ) -> QueryInterfaceRequest<ResolvedComboInfo> {
    combos
      .including(
        all: ComboRecord.slots
          .including(all: SlotRecord.options)
          .including(
            optional: SlotRecord.optionList.including(all: OptionListRecord.options))
      )
      .asRequest(of: ResolvedComboInfo.self)
  }

  /// The products of the options without duplicates, in the order of their first mention.
  var productIds: [Int] {
    slots.flatMap { slot in slot.shown.map(\.productId) }.distinct
  }

  /// Builds the combo from products that include at least those of ``productIds``.
  func resolved(_ products: [Product]) throws -> ResolvedCombo {
    let catalogue = Catalogue(products)
    return ResolvedCombo(
      combo: try combo.combo(try slots.map { try $0.slot.slot($0.options, catalogue) }),
      options: try slots.map { try $0.shown.map { try $0.option(catalogue) } },
      products: try productIds.map { try catalogue.product($0) })
  }
}

/// A slot with its own options and its shared list, if it has them.
struct ResolvedSlotInfo: Decodable, FetchableRecord {
  var slot: SlotRecord
  var options: [SlotOptionRecord]
  var optionList: OptionListInfo?

  /// The options that a customer sees.
  var shown: [any OptionRecord] {
    slot.hasOwnOptions ? options : optionList?.options ?? []
  }
}
