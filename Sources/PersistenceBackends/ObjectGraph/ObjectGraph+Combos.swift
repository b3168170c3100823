import MenuModel

extension ObjectGraph {
  /// A shared list with its options.
  mutating func optionList(_ key: Int) throws -> OptionList {
    let row = try optionLists.object(key)
    return OptionList(id: row.id, options: try options(of: key))
  }

  /// A combo with its slots and their own options.
  mutating func combo(_ key: Int) throws -> Combo {
    let row = try combos.object(key)
    let combo = row.object
    return Combo(
      id: row.id, code: combo.code, name: combo.name, details: combo.details,
      price: combo.price, oldPrice: combo.oldPrice, image: combo.image,
      slots: try comboSlots.targets(of: key).map { try slot($0) })
  }

  /// A combo with the options of every slot, and the products that they name, each once.
  mutating func resolvedCombo(_ key: Int) throws -> ResolvedCombo {
    let combo = try combo(key)
    var options: [[SlotOption]] = []
    var named: [Int] = []
    for (slot, row) in zip(combo.slots, comboSlots.targets(of: key)) {
      let links = try slots.object(row).object
      guard let list = links.ownList ?? links.sharedList else {
        options.append([])
        continue
      }
      options.append(try slot.options ?? self.options(of: list.number))
      named += try optionListOptions.targets(of: list.number).map {
        try slotOptions.object($0).object.product.number
      }
    }
    var seen: Set<Int> = []
    let products = try named.filter { seen.insert($0).inserted }.map { try product($0) }
    return ResolvedCombo(combo: combo, options: options, products: products)
  }

  private mutating func slot(_ key: Int) throws -> Slot {
    let row = try slots.object(key)
    let slot = row.object
    return Slot(
      id: row.id, name: slot.name, min: slot.min, max: slot.max,
      optionListID: try slot.sharedList.map { try optionLists.id(of: $0) },
      options: try slot.ownList.map {
        _ = try optionLists.object($0.number)
        return try options(of: $0.number)
      },
      defaultProductID: try slot.defaultProduct.map { try products.id(of: $0) })
  }

  private mutating func options(of list: Int) throws -> [SlotOption] {
    try optionListOptions.targets(of: list).map { key in
      let option = try slotOptions.object(key).object
      return SlotOption(
        productID: try products.id(of: option.product),
        variantID: try option.variant.map { try variants.id(of: $0) },
        surcharge: option.surcharge, product: try option.copy.map { try product($0.number) })
    }
  }
}
