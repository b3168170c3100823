import MenuModel

extension PBProduct.Kind {
  init(_ kind: Product.Kind) {
    switch kind {
    case .pizza: self = .pizza
    case .snack: self = .snack
    case .drink: self = .drink
    case .dessert: self = .dessert
    case .sauce: self = .sauce
    case .other: self = .other
    }
  }
}

extension Product.Kind {
  init?(_ kind: PBProduct.Kind) {
    switch kind {
    case .pizza: self = .pizza
    case .snack: self = .snack
    case .drink: self = .drink
    case .dessert: self = .dessert
    case .sauce: self = .sauce
    case .other: self = .other
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension PBProduct.Availability {
  init(_ availability: Product.Availability) {
    switch availability {
    case .available: self = .available
    case .comboOnly: self = .comboOnly
    case .hidden: self = .hidden
    }
  }
}

extension Product.Availability {
  init?(_ availability: PBProduct.Availability) {
    switch availability {
    case .available: self = .available
    case .comboOnly: self = .comboOnly
    case .hidden: self = .hidden
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension PBEntity {
  init(_ entity: Entity) {
    switch entity {
    case .category: self = .category
    case .product: self = .product
    case .variant: self = .variant
    case .ingredient: self = .ingredient
    case .modifierGroup: self = .modifierGroup
    case .combo: self = .combo
    case .slot: self = .slot
    }
  }
}

extension Entity {
  init?(_ entity: PBEntity) {
    switch entity {
    case .category: self = .category
    case .product: self = .product
    case .variant: self = .variant
    case .ingredient: self = .ingredient
    case .modifierGroup: self = .modifierGroup
    case .combo: self = .combo
    case .slot: self = .slot
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}
