import MenuModel

/// The numbers that stand for a case in a file: they never change, whatever the declaration's order.
protocol FlatCoded {
  /// The case of a number; nil where a file of this version has no such number.
  init?(code: UInt8)
  /// The number of a case.
  var code: UInt8 { get }
}

extension Product.Kind: FlatCoded {
  @inline(__always)
  init?(code: UInt8) {
    switch code {
    case 0: self = .pizza
    case 1: self = .snack
    case 2: self = .drink
    case 3: self = .dessert
    case 4: self = .sauce
    case 5: self = .other
    default: return nil
    }
  }

  @inline(__always)
  var code: UInt8 {
    switch self {
    case .pizza: 0
    case .snack: 1
    case .drink: 2
    case .dessert: 3
    case .sauce: 4
    case .other: 5
    }
  }
}

extension Product.Availability: FlatCoded {
  @inline(__always)
  init?(code: UInt8) {
    switch code {
    case 0: self = .available
    case 1: self = .comboOnly
    case 2: self = .hidden
    default: return nil
    }
  }

  @inline(__always)
  var code: UInt8 {
    switch self {
    case .available: 0
    case .comboOnly: 1
    case .hidden: 2
    }
  }
}

extension Entity: FlatCoded {
  @inline(__always)
  init?(code: UInt8) {
    switch code {
    case 0: self = .category
    case 1: self = .product
    case 2: self = .variant
    case 3: self = .ingredient
    case 4: self = .modifierGroup
    case 5: self = .combo
    case 6: self = .slot
    default: return nil
    }
  }

  @inline(__always)
  var code: UInt8 {
    switch self {
    case .category: 0
    case .product: 1
    case .variant: 2
    case .ingredient: 3
    case .modifierGroup: 4
    case .combo: 5
    case .slot: 6
    }
  }
}
