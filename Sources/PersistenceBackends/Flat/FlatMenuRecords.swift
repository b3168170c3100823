/// The menu's own fields; 40 bytes.
struct FlatMenu: FlatRecord {
  static let size = 40

  var id: Int
  var revision: Int
  var locale: UInt32
  var currency: UInt32
  var city: UInt32
  /// How many of the product records are the menu's; the rest are copies that differ.
  var products: UInt32
  /// How many of the variant records are those products'.
  var variants: UInt32
}

extension FlatMenu {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    id = fields.number()
    revision = fields.number()
    locale = fields.word()
    currency = fields.word()
    city = fields.word()
    products = fields.word()
    variants = fields.word()
    _ = fields.word()
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(id)
    pen.put(revision)
    pen.put(locale)
    pen.put(currency)
    pen.put(city)
    pen.put(products)
    pen.put(variants)
    pen.put(UInt32(0))
  }
}

/// An entry of the stop list; 16 bytes.
struct FlatStop: FlatRecord {
  static let size = 16

  var entityID: Int
  var entity: UInt32
  var until: UInt32
}

extension FlatStop {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    entityID = fields.number()
    entity = fields.word()
    until = fields.word()
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(entityID)
    pen.put(entity)
    pen.put(until)
  }
}

/// A translation; 24 bytes.
struct FlatTranslation: FlatRecord {
  static let size = 24

  var entityID: Int
  var entity: UInt32
  var locale: UInt32
  var name: UInt32
  var details: UInt32
}

extension FlatTranslation {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    entityID = fields.number()
    entity = fields.word()
    locale = fields.word()
    name = fields.word()
    details = fields.word()
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(entityID)
    pen.put(entity)
    pen.put(locale)
    pen.put(name)
    pen.put(details)
  }
}

/// Where the record of an id stands; 12 bytes.
struct FlatIndexEntry: FlatRecord {
  static let size = 12

  var id: Int
  var record: UInt32
}

extension FlatIndexEntry {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    id = fields.number()
    record = fields.word()
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(id)
    pen.put(record)
  }
}
