/// A category; 24 bytes.
struct FlatCategory: FlatRecord {
  static let size = 24

  var id: Int
  var parentID: Int?
  var name: UInt32
}

extension FlatCategory {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    id = fields.number()
    let parent = fields.number()
    name = fields.word()
    parentID = FlatFlags(fields.word())[0] ? parent : nil
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(id)
    pen.put(parentID)
    pen.put(name)
    pen.put(FlatFlags(parentID != nil).bits)
  }
}

/// An ingredient; 16 bytes.
struct FlatIngredient: FlatRecord {
  static let size = 16

  var id: Int
  var code: UInt32
  var name: UInt32
}

extension FlatIngredient {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    id = fields.number()
    code = fields.word()
    name = fields.word()
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(id)
    pen.put(code)
    pen.put(name)
  }
}

/// A modifier group; 48 bytes.
struct FlatModifierGroup: FlatRecord {
  static let size = 48

  var id: Int
  var min: Int
  var max: Int
  var free: Int
  var name: UInt32
  var isRequired: Bool
  var options: FlatRange
}

extension FlatModifierGroup {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    id = fields.number()
    min = fields.number()
    max = fields.number()
    free = fields.number()
    name = fields.word()
    isRequired = FlatFlags(fields.word())[0]
    options = fields.range()
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(id)
    pen.put(min)
    pen.put(max)
    pen.put(free)
    pen.put(name)
    pen.put(FlatFlags(isRequired).bits)
    pen.put(options)
  }
}

/// A choice of a modifier group; 16 bytes.
struct FlatModifier: FlatRecord {
  static let size = 16

  var ingredientID: Int
  var prices: FlatRange
}

extension FlatModifier {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    ingredientID = fields.number()
    prices = fields.range()
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(ingredientID)
    pen.put(prices)
  }
}
