/// The options of a slot, or of several that share them.
struct OptionListObject: StoredObject {
  /// None where slots share it.
  typealias Owner = SlotObject

  static let entity = "option_list"
  static let columns: [Column] = []
  static let relations = [ToMany(OptionListOptions.self)]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.optionLists }
}

extension OptionListObject {
  func put(into sink: inout some ValueSink) {}

  init(from row: inout RowReader) {}
}

/// A product, or one variant of it, that may fill a slot.
struct SlotOptionObject: StoredObject {
  typealias Owner = OptionListObject

  /// The menu's own product.
  var product: Key<ProductObject>
  var variant: Key<VariantObject>?
  var surcharge: Int
  /// The copy that it embeds.
  var copy: Key<ProductObject>?

  static let entity = "slot_option"
  static let columns: [Column] = [
    .integer("product"), .optionalInteger("variant"), .integer("surcharge"),
    .optionalInteger("copy"),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.slotOptions }
}

extension SlotOptionObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) {
    visitor.referenced(&product)
    visitor.referenced(&variant)
    visitor.owned(&copy)
  }

  func put(into sink: inout some ValueSink) {
    sink.put(product)
    sink.put(variant)
    sink.put(surcharge)
    sink.put(copy)
  }

  init(from row: inout RowReader) throws {
    product = Key(row.int())
    variant = Key(row.optionalInt())
    surcharge = row.int()
    copy = Key(row.optionalInt())
  }
}
