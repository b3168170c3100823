import MenuModel

extension FlatEncoder {
  /// A shared list; of two of one id slots show the first.
  mutating func add(_ list: OptionList) {
    let range = self.list(list.options)
    if sharedOptions[list.id] == nil { sharedOptions[list.id] = range }
    optionLists.append(FlatOptionList(id: list.id, options: range))
  }

  /// A combo with its slots.
  mutating func add(_ combo: Combo) {
    comboIndex.add(combo.id, combos.count)
    let first = slots.count
    for slot in combo.slots { slots.append(record(of: slot)) }
    combos.append(
      FlatCombo(
        id: combo.id, price: combo.price, oldPrice: combo.oldPrice,
        code: texts.number(of: combo.code), name: texts.number(of: combo.name),
        details: texts.number(of: combo.details), image: texts.number(of: combo.image),
        slots: slots.range(from: first)))
  }

  private mutating func record(of slot: Slot) -> FlatSlot {
    FlatSlot(
      id: slot.id, min: slot.min, max: slot.max, optionListID: slot.optionListID,
      defaultProductID: slot.defaultProductID, name: texts.number(of: slot.name),
      options: shown(by: slot), ownsOptions: slot.options != nil)
  }

  private mutating func shown(by slot: Slot) -> FlatRange {
    if let own = slot.options { return list(own) }
    return slot.optionListID.flatMap { sharedOptions[$0] } ?? FlatRange()
  }

  private mutating func list(_ options: [SlotOption]) -> FlatRange {
    let first = self.options.count
    for option in options {
      self.options.append(
        FlatOption(
          productID: option.productID, variantID: option.variantID, surcharge: option.surcharge,
          product: productIndex.record(of: option.productID), embedded: embed(option.product)))
    }
    return self.options.list(from: first)
  }
}
