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
