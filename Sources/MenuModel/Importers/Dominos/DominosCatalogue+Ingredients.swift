extension DominosCatalogue {
  /// Adds toppings, then sides, each by family and code.
  mutating func addIngredients() {
    for section in Family.Section.allCases {
      for (name, records) in families(section).sorted(by: { $0.key < $1.key }) {
        add(records, of: Family(section: section, name: name))
      }
      let noun = section == .toppings ? Noun.topping : .side
      notes.add(leftoversOf: families(section).values.flatMap(\.values), noun)
    }
    notes.add(
      .noPlace(.ingredientFamily),
      count: Family.Section.allCases.reduce(0) { $0 + families($1).count })
  }

  private func families(_ section: Family.Section) -> DominosFile.Families<DominosFile.Named> {
    section == .toppings ? file.toppings : file.sides
  }

  private mutating func add(_ records: DominosFile.Section<DominosFile.Named>, of family: Family) {
    for (code, row) in records.sorted(by: { $0.key < $1.key }) {
      let id = ingredients.count + 1
      ingredients.append(Ingredient(id: id, code: code, name: row.name))
      ingredientIDs[IngredientKey(family: family, code: code)] = id
      checkCode(row.code, code)
    }
  }

  /// The options of a list that its family has, each once.
  mutating func known(
    _ list: DominosOptions?, of family: Family
  ) -> [(key: IngredientKey, id: Int, option: DominosOptions.Option)] {
    var seen: Set<Int> = []
    return (list?.options ?? []).compactMap { option in
      let key = IngredientKey(family: family, code: option.code)
      guard let id = ingredientIDs[key] else {
        notes.add(.unknownOption, named: "\(option.code) of \(family.name)")
        return nil
      }
      guard seen.insert(id).inserted else {
        notes.add(.repeatedOption, named: "\(option.code) of \(family.name)")
        return nil
      }
      return (key, id, option)
    }
  }

  /// The group for a list of what may be added; equal lists share one. Nil for an empty list.
  mutating func modifierGroupID(for list: DominosOptions?, of family: Family) -> Int? {
    let known = known(list, of: family)
    guard !known.isEmpty else { return nil }
    notes.add(.optionWithQuantities, count: known.count { !$0.option.quantities.isEmpty })
    let keys = known.map(\.key)
    if let id = modifierGroupIDs[keys] { return id }
    let id = modifierGroups.count + 1
    modifierGroupIDs[keys] = id
    modifierGroups.append(
      ModifierGroup(
        id: id, name: "\(family.name) \(family.section.rawValue)", min: 0, max: known.count,
        options: known.map { ModifierOption(ingredientID: $0.id) }))
    return id
  }

  /// Notes a record whose own code is not the one that it is filed under.
  mutating func checkCode(_ own: String?, _ key: String) {
    if let own, own != key { notes.add(.otherCode, named: "\(own) under \(key)") }
  }
}
