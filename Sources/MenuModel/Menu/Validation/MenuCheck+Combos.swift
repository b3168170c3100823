extension MenuCheck {
  mutating func checkCombos() {
    let productsOfLists = checkOptionLists()
    for (position, combo) in menu.combos.enumerated() where !isFull {
      expectFirst(position, in: index.combos, "combo", combo.id, "combos")
      expectCount(combo.price ?? 0, "price", "combos[\(position)]")
      expectCount(combo.oldPrice ?? 0, "old price", "combos[\(position)]")
      for (place, slot) in combo.slots.enumerated() where !isFull {
        let path = "combos[\(position)].slots[\(place)]"
        checkID(of: slot, position, place)
        expectOrder(slot.min, slot.max, path)
        checkOptions(of: slot, productsOfLists, path)
      }
    }
  }

  /// Checks the shared lists, and gives the products of each: a default is then found in constant
  /// time, however many slots share a long list.
  private mutating func checkOptionLists() -> [Set<Int>] {
    menu.optionLists.indices.map { position in
      let list = menu.optionLists[position]
      expectFirst(position, in: index.optionLists, "option list", list.id, "optionLists")
      check(list.options, "optionLists[\(position)]")
      return Set(list.options.lazy.map(\.productID))
    }
  }

  private mutating func checkID(of slot: Slot, _ combo: Int, _ place: Int) {
    guard let first = index.slots[slot.id] else { return }
    expect(
      first.combo == combo && first.slot == place, "combos[\(combo)].slots[\(place)]",
      "slot \(slot.id) is already at combos[\(first.combo)].slots[\(first.slot)]")
  }

  private mutating func checkOptions(of slot: Slot, _ products: [Set<Int>], _ path: String) {
    switch (slot.optionListID, slot.options) {
    case (nil, nil): expect(false, path, "it has neither an option list nor options")
    case (.some, .some): expect(false, path, "it has both an option list and options")
    case (nil, let options?):
      check(options, path)
      checkDefault(of: slot, path) { product in options.contains { $0.productID == product } }
    case (let list?, nil):
      guard let position = index.optionLists[list] else {
        expect(false, path, "option list \(list) does not exist")
        return
      }
      checkDefault(of: slot, path) { products[position].contains($0) }
    }
  }

  private mutating func checkDefault(
    of slot: Slot, _ path: String, isOption: (Int) -> Bool
  ) {
    guard let product = slot.defaultProductID else { return }
    expect(isOption(product), path, "default product \(product) is not among its options")
  }

  private mutating func check(_ options: [SlotOption], _ path: String) {
    expect(!options.isEmpty, path, "it has no options")
    for (position, option) in options.enumerated() where !isFull {
      check(option, "\(path).options[\(position)]")
    }
  }

  private mutating func check(_ option: SlotOption, _ path: @autoclosure () -> String) {
    expectCount(option.surcharge, "surcharge", path())
    guard let position = index.products[option.productID] else {
      expect(false, path(), "product \(option.productID) does not exist")
      return
    }
    checkVariant(of: option, productAt: position, path())
    if let copy = option.product {
      expect(
        copy == menu.products[position], path(),
        "embedded product \(copy.id) differs from products[\(position)]")
    }
  }

  private mutating func checkVariant(
    of option: SlotOption, productAt position: Int, _ path: @autoclosure () -> String
  ) {
    guard let variant = option.variantID else { return }
    guard let place = index.variants[variant] else {
      expect(false, path(), "variant \(variant) does not exist")
      return
    }
    let owner = menu.products[place.product].id
    expect(
      place.product == position, path(),
      "variant \(variant) is of product \(owner), not \(option.productID)")
  }
}
