/// Takes the fields of a record, one after another; the caller has seen to it that they are there.
struct FlatFields {
  private var place: UnsafeRawPointer

  @inline(__always)
  init(_ place: UnsafeRawPointer) { self.place = place }

  @inline(__always)
  mutating func number() -> Int { Int(Int64(littleEndian: take(Int64.self))) }

  @inline(__always)
  mutating func word() -> UInt32 { UInt32(littleEndian: take(UInt32.self)) }

  @inline(__always)
  mutating func byte() -> UInt8 { take(UInt8.self) }

  @inline(__always)
  mutating func double() -> Double {
    Double(bitPattern: UInt64(littleEndian: take(UInt64.self)))
  }

  @inline(__always)
  mutating func range() -> FlatRange { FlatRange(start: word(), count: word()) }

  @inline(__always)
  private mutating func take<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
    let value = place.loadUnaligned(as: type)
    place += MemoryLayout<Value>.size
    return value
  }
}

/// Puts down the fields of a record, one after another; the caller has seen to it that they fit.
struct FlatPen {
  private var place: UnsafeMutableRawPointer

  @inline(__always)
  init(_ place: UnsafeMutableRawPointer) { self.place = place }

  @inline(__always)
  mutating func put(_ number: Int) { store(Int64(number).littleEndian) }

  /// An absent number stands as 0; a flag of the record tells it from one.
  @inline(__always)
  mutating func put(_ number: Int?) { put(number ?? 0) }

  @inline(__always)
  mutating func put(_ word: UInt32) { store(word.littleEndian) }

  @inline(__always)
  mutating func put(_ byte: UInt8) { store(byte) }

  @inline(__always)
  mutating func put(_ number: Double) { store(number.bitPattern.littleEndian) }

  @inline(__always)
  mutating func put(_ range: FlatRange) {
    put(range.start)
    put(range.count)
  }

  @inline(__always)
  private mutating func store<Value: BitwiseCopyable>(_ value: Value) {
    place.storeBytes(of: value, as: Value.self)
    place += MemoryLayout<Value>.size
  }
}

/// Flags of a record: which numbers are there, and truth values.
struct FlatFlags {
  var bits: UInt32 = 0

  /// Flags as a file has them.
  @inline(__always)
  init(_ bits: UInt32) { self.bits = bits }

  /// Flags from the lowest bit up.
  @inline(__always)
  init(_ first: Bool, _ second: Bool = false, _ third: Bool = false) {
    bits = (first ? 1 : 0) | (second ? 2 : 0) | (third ? 4 : 0)
  }

  /// Whether a bit is set.
  @inline(__always)
  subscript(bit: UInt32) -> Bool { bits >> bit & 1 == 1 }
}

/// A record of a fixed width.
protocol FlatRecord {
  /// Its bytes in a file.
  static var size: Int { get }
  /// Takes its fields.
  init(_ fields: inout FlatFields)
  /// Puts down its fields.
  func put(_ pen: inout FlatPen)
}

extension FlatRecord {
  /// The record at a place of `size` bytes.
  @inline(__always)
  init(at place: UnsafeRawPointer) {
    var fields = FlatFields(place)
    self.init(&fields)
  }

  /// Puts the record at a place of `size` bytes.
  @inline(__always)
  func store(at place: UnsafeMutableRawPointer) {
    var pen = FlatPen(place)
    put(&pen)
  }
}

/// An id.
extension Int: FlatRecord {
  static var size: Int { 8 }
  @inline(__always) init(_ fields: inout FlatFields) { self = fields.number() }
  @inline(__always) func put(_ pen: inout FlatPen) { pen.put(self) }
}

/// The number of a text, or where one begins.
extension UInt32: FlatRecord {
  static var size: Int { 4 }
  @inline(__always) init(_ fields: inout FlatFields) { self = fields.word() }
  @inline(__always) func put(_ pen: inout FlatPen) { pen.put(self) }
}

/// A byte of the texts.
extension UInt8: FlatRecord {
  static var size: Int { 1 }
  @inline(__always) init(_ fields: inout FlatFields) { self = fields.byte() }
  @inline(__always) func put(_ pen: inout FlatPen) { pen.put(self) }
}

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

/// A product; 64 bytes.
struct FlatProduct: FlatRecord {
  static let size = 64

  var id: Int
  var categoryID: Int
  var name: UInt32
  var details: UInt32
  var code: UInt32
  var kind: UInt8
  var availability: UInt8
  var tags: FlatRange
  var variants: FlatRange
  var ingredients: FlatRange
  var modifierGroups: FlatRange
}

extension FlatProduct {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    id = fields.number()
    categoryID = fields.number()
    name = fields.word()
    details = fields.word()
    code = fields.word()
    kind = fields.byte()
    availability = fields.byte()
    _ = fields.byte()
    _ = fields.byte()
    tags = fields.range()
    variants = fields.range()
    ingredients = fields.range()
    modifierGroups = fields.range()
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(id)
    pen.put(categoryID)
    pen.put(name)
    pen.put(details)
    pen.put(code)
    pen.put(kind)
    pen.put(availability)
    pen.put(UInt8(0))
    pen.put(UInt8(0))
    pen.put(tags)
    pen.put(variants)
    pen.put(ingredients)
    pen.put(modifierGroups)
  }
}

/// An ingredient of a product; 12 bytes.
struct FlatPart: FlatRecord {
  static let size = 12

  var ingredientID: Int
  var isRemovable: Bool
}

extension FlatPart {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    ingredientID = fields.number()
    isRemovable = FlatFlags(fields.word())[0]
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(ingredientID)
    pen.put(FlatFlags(isRemovable).bits)
  }
}

/// A variant; 56 bytes.
struct FlatVariant: FlatRecord {
  static let size = 56

  var id: Int
  var price: Int
  var weight: Int?
  var code: UInt32
  var size: UInt32
  var dough: UInt32
  var image: UInt32
  var priceTiers: FlatRange
  var nutrition: UInt32
}

extension FlatVariant {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    id = fields.number()
    price = fields.number()
    let weight = fields.number()
    code = fields.word()
    size = fields.word()
    dough = fields.word()
    image = fields.word()
    priceTiers = fields.range()
    nutrition = fields.word()
    let flags = FlatFlags(fields.word())
    self.weight = flags[0] ? weight : nil
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(id)
    pen.put(price)
    pen.put(weight)
    pen.put(code)
    pen.put(size)
    pen.put(dough)
    pen.put(image)
    pen.put(priceTiers)
    pen.put(nutrition)
    pen.put(FlatFlags(weight != nil).bits)
  }
}

/// The eight numbers of a variant's nutrition; 64 bytes.
struct FlatNutrition: FlatRecord {
  static let size = 64

  var per100g: FlatFacts
  var whole: FlatFacts

  @inline(__always)
  init(per100g: FlatFacts, whole: FlatFacts) {
    self.per100g = per100g
    self.whole = whole
  }

  @inline(__always)
  init(_ fields: inout FlatFields) {
    per100g = FlatFacts(&fields)
    whole = FlatFacts(&fields)
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    per100g.put(&pen)
    whole.put(&pen)
  }
}

/// Four numbers of nutrition; 32 bytes.
struct FlatFacts: FlatRecord {
  static let size = 32

  var energy: Double
  var proteins: Double
  var fats: Double
  var carbohydrates: Double
}

extension FlatFacts {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    energy = fields.double()
    proteins = fields.double()
    fats = fields.double()
    carbohydrates = fields.double()
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(energy)
    pen.put(proteins)
    pen.put(fats)
    pen.put(carbohydrates)
  }
}

/// A price with the text that it is for, a tier's name or a size; 12 bytes.
struct FlatPrice: FlatRecord {
  static let size = 12

  var price: Int
  var text: UInt32
}

extension FlatPrice {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    price = fields.number()
    text = fields.word()
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(price)
    pen.put(text)
  }
}
