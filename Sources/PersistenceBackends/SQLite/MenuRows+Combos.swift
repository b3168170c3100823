import MenuModel

extension MenuRows {
  /// Adds the shared lists and their options.
  mutating func addOptionLists(_ lists: [OptionList], _ catalogue: Catalogue) throws {
    for index in lists.indices(by: \.id) {
      let list = lists[index]
      optionLists.append(OptionListRow(id: list.id, position: index))
      listOptions += try rows(of: list.options, owner: list.id, catalogue)
    }
  }

  /// Adds combos without their slots.
  mutating func addCombos(_ all: [Combo]) {
    for index in all.indices(by: \.id) {
      let combo = all[index]
      combos.append(
        ComboRow(
          id: combo.id, position: index, code: combo.code, name: combo.name,
          details: combo.details, price: combo.price, oldPrice: combo.oldPrice,
          image: combo.image))
    }
  }

  /// Adds the slots of all combos and their own options, by the slots' ids.
  mutating func addSlots(_ combos: [Combo], _ catalogue: Catalogue) throws {
    let all = combos.flatMap { combo in
      combo.slots.enumerated().map {
        Placed(parent: combo.id, position: $0.offset, value: $0.element)
      }
    }
    for index in all.indices(by: \.value.id) {
      let slot = all[index].value
      slots.append(
        SlotRow(
          id: slot.id, comboID: all[index].parent, position: all[index].position,
          name: slot.name, min: slot.min, max: slot.max, optionListID: slot.optionListID,
          hasOwnOptions: slot.options != nil, defaultProductID: slot.defaultProductID))
      slotOptions += try rows(of: slot.options ?? [], owner: slot.id, catalogue)
    }
  }

  private func rows<Owner: OptionOwner>(
    of options: [SlotOption], owner: Int, _ catalogue: Catalogue
  ) throws -> [SlotOptionRow<Owner>] {
    try options.enumerated().map { position, option in
      try option.product.map { try catalogue.check($0, of: option) }
      return SlotOptionRow(
        ownerID: owner, position: position, productID: option.productID,
        variantID: option.variantID, surcharge: option.surcharge,
        embedsProduct: option.product != nil)
    }
  }
}
