import MenuModel

extension GraphBuilder {
  /// Adds a list that slots share.
  mutating func add(_ list: OptionList) throws -> Int {
    let key = append(OptionListObject(), id: list.id)
    register(OptionListObject.self, list.id, key)
    try add(list.options, to: key)
    return key
  }

  /// Adds a combo with its slots.
  mutating func add(_ combo: Combo) throws -> Int {
    let key = append(
      ComboObject(
        code: combo.code, name: combo.name, details: combo.details, price: combo.price,
        oldPrice: combo.oldPrice, image: combo.image), id: combo.id)
    graph.comboSlots.append(try combo.slots.map { try add($0, of: key) }, of: key)
    return key
  }

  private mutating func add(_ slot: Slot, of combo: Int) throws -> Int {
    let key = graph.slots.nextKey
    let shared = try slot.optionListID.map { try self.key(OptionListObject.self, $0) }
    let standard = try slot.defaultProductID.map { try self.key(ProductObject.self, $0) }
    let own = try slot.options.map { options in
      let list = append(OptionListObject(), id: 0, owner: key)
      try add(options, to: list)
      return list
    }
    return append(
      SlotObject(
        name: slot.name, min: slot.min, max: slot.max, sharedList: shared, ownList: Key(own),
        defaultProduct: standard), id: slot.id, owner: combo)
  }

  private mutating func add(_ options: [SlotOption], to list: Int) throws {
    let keys = try options.enumerated().map { position, option in
      try add(option, position, of: list)
    }
    graph.optionListOptions.append(keys, of: list)
  }

  private mutating func add(_ option: SlotOption, _ position: Int, of list: Int) throws -> Int {
    let product = try key(ProductObject.self, option.productID)
    let variant = try option.variantID.map { try self.key(VariantObject.self, $0) }
    let key = graph.slotOptions.nextKey
    let copy = try option.product.map { try add($0, owner: key) }
    return append(
      SlotOptionObject(
        product: product, variant: variant, surcharge: option.surcharge, copy: Key(copy)),
      id: position, owner: list)
  }
}
