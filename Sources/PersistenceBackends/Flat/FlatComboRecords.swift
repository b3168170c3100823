/// A combo; 56 bytes.
struct FlatCombo: FlatRecord {
  static let size = 56

  var id: Int
  var price: Int?
  var oldPrice: Int?
  var code: UInt32
  var name: UInt32
  var details: UInt32
  var image: UInt32
  var slots: FlatRange
}

extension FlatCombo {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    id = fields.number()
    let price = fields.number()
    let oldPrice = fields.number()
    code = fields.word()
    name = fields.word()
    details = fields.word()
    image = fields.word()
    slots = fields.range()
    let flags = FlatFlags(fields.word())
    _ = fields.word()
    self.price = flags[0] ? price : nil
    self.oldPrice = flags[1] ? oldPrice : nil
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(id)
    pen.put(price)
    pen.put(oldPrice)
    pen.put(code)
    pen.put(name)
    pen.put(details)
    pen.put(image)
    pen.put(slots)
    pen.put(FlatFlags(price != nil, oldPrice != nil).bits)
    pen.put(UInt32(0))
  }
}

/// A slot; 56 bytes. Its options are the ones that it shows, its own or a shared list's.
struct FlatSlot: FlatRecord {
  static let size = 56

  var id: Int
  var min: Int
  var max: Int
  var optionListID: Int?
  var defaultProductID: Int?
  var name: UInt32
  var options: FlatRange
  var ownsOptions: Bool
}

extension FlatSlot {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    id = fields.number()
    min = fields.number()
    max = fields.number()
    let list = fields.number()
    let product = fields.number()
    name = fields.word()
    options = fields.range()
    let flags = FlatFlags(fields.word())
    optionListID = flags[0] ? list : nil
    defaultProductID = flags[1] ? product : nil
    ownsOptions = flags[2]
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(id)
    pen.put(min)
    pen.put(max)
    pen.put(optionListID)
    pen.put(defaultProductID)
    pen.put(name)
    pen.put(options)
    pen.put(FlatFlags(optionListID != nil, defaultProductID != nil, ownsOptions).bits)
  }
}

/// A shared list of options; 16 bytes.
struct FlatOptionList: FlatRecord {
  static let size = 16

  var id: Int
  var options: FlatRange
}

extension FlatOptionList {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    id = fields.number()
    options = fields.range()
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(id)
    pen.put(options)
  }
}

/// An option of a slot; 36 bytes. It names its product by id and by the record of the menu's first
/// product of that id, so that nobody has to search.
struct FlatOption: FlatRecord {
  static let size = 36

  var productID: Int
  var variantID: Int?
  var surcharge: Int
  var product: UInt32
  var embedded: UInt32
}

extension FlatOption {
  @inline(__always)
  init(_ fields: inout FlatFields) {
    productID = fields.number()
    let variant = fields.number()
    surcharge = fields.number()
    product = fields.word()
    embedded = fields.word()
    variantID = FlatFlags(fields.word())[0] ? variant : nil
  }

  @inline(__always)
  func put(_ pen: inout FlatPen) {
    pen.put(productID)
    pen.put(variantID)
    pen.put(surcharge)
    pen.put(product)
    pen.put(embedded)
    pen.put(FlatFlags(variantID != nil).bits)
  }
}

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
