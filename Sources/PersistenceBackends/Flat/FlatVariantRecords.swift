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
