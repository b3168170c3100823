extension MenuCheck {
  mutating func checkModifierGroups() {
    for (position, group) in menu.modifierGroups.enumerated() where !isFull {
      let path = "modifierGroups[\(position)]"
      expectFirst(
        position, in: index.modifierGroups, "modifier group", group.id, "modifierGroups")
      expectOrder(group.min, group.max, path)
      expectCount(group.free, "free", path)
      expect(
        group.free <= max(group.max, 0), path, "free \(group.free) is more than max \(group.max)")
      for (position, option) in group.options.enumerated() where !isFull {
        check(option, "\(path).options[\(position)]")
      }
    }
  }

  private mutating func check(_ option: ModifierOption, _ path: String) {
    expect(
      index.ingredients[option.ingredientID] != nil, path,
      "ingredient \(option.ingredientID) does not exist")
    for (position, price) in option.prices.enumerated() {
      expectCount(price.price, "price", "\(path).prices[\(position)]")
    }
    expectDifferent(
      option.prices.map(\.size), { "\(path).prices[\($0)]" }, { "size '\($0)' is there twice" })
  }
}
