extension Menu: BenchDocument {
  /// How many of each thing the menu holds; slot options are counted in every slot that shows them.
  public var counts: [(of: String, count: Int)] {
    let resolver = SlotResolver(self)
    let slots = combos.flatMap(\.slots)
    return [
      ("products", products.count),
      ("variants", products.reduce(0) { $0 + $1.variants.count }),
      ("combos", combos.count),
      ("slots", slots.count),
      ("slot options", slots.reduce(0) { $0 + resolver.options(of: $1).count }),
      ("option lists", optionLists.count),
      ("categories", categories.count),
      ("ingredients", ingredients.count),
      ("modifier groups", modifierGroups.count),
      ("translations", translations.count),
    ]
  }

  /// The same menu with the last bit of its revision turned, which takes as many digits.
  public func nextRevision() -> Menu {
    var next = self
    next.revision ^= 1
    return next
  }

  /// Feeds every field; the options of a shared list once for the list and once for every slot.
  public func visit(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(revision)
    checksum.add(locale)
    checksum.add(currency)
    checksum.add(city)
    checksum.addAll(categories) { $0.visit(&$1) }
    checksum.addAll(ingredients) { $0.visit(&$1) }
    checksum.addAll(modifierGroups) { $0.visit(&$1) }
    checksum.addAll(products) { $0.visit(&$1) }
    checksum.addAll(optionLists) { list, checksum in
      checksum.add(list.id)
      checksum.addAll(list.options) { $0.visit(&$1) }
    }
    let resolver = SlotResolver(self)
    checksum.addAll(combos) { $0.visit(&$1, resolver) }
    checksum.addAll(stopList) { $0.visit(&$1) }
    checksum.addAll(translations) { $0.visit(&$1) }
  }
}

extension Category {
  /// Feeds every field.
  public func visit(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(parentID)
    checksum.add(name)
  }
}

extension Ingredient {
  fileprivate func visit(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(code)
    checksum.add(name)
  }
}

extension ModifierGroup {
  fileprivate func visit(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(name)
    checksum.add(min)
    checksum.add(max)
    checksum.add(free)
    checksum.add(isRequired)
    checksum.addAll(options) { option, checksum in
      checksum.add(option.ingredientID)
      checksum.addAll(option.prices) {
        $1.add($0.size)
        $1.add($0.price)
      }
    }
  }
}

extension Product: NamedPart {
  /// Feeds the name.
  public func visitName(_ checksum: inout Checksum) { checksum.add(name) }

  /// Feeds every field.
  public func visit(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(code)
    checksum.add(categoryID)
    checksum.add(kind.rawValue)
    checksum.add(name)
    checksum.add(details)
    checksum.addAll(tags) { $1.add($0) }
    checksum.add(availability.rawValue)
    checksum.addAll(variants) { $0.visit(&$1) }
    checksum.addAll(ingredients) {
      $1.add($0.ingredientID)
      $1.add($0.isRemovable)
    }
    checksum.addAll(modifierGroupIDs) { $1.add($0) }
  }
}

extension Variant {
  fileprivate func visit(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(code)
    checksum.add(size)
    checksum.add(dough)
    checksum.add(weight)
    checksum.add(price)
    checksum.addAll(priceTiers) {
      $1.add($0.name)
      $1.add($0.price)
    }
    checksum.add(image)
    checksum.add(nutrition != nil)
    nutrition?.per100g.visit(&checksum)
    nutrition?.whole.visit(&checksum)
  }
}

extension NutritionFacts {
  fileprivate func visit(_ checksum: inout Checksum) {
    checksum.add(energy)
    checksum.add(proteins)
    checksum.add(fats)
    checksum.add(carbohydrates)
  }
}

extension Combo {
  fileprivate func visit(_ checksum: inout Checksum, _ resolver: SlotResolver) {
    checksum.add(id)
    checksum.add(code)
    checksum.add(name)
    checksum.add(details)
    checksum.add(price)
    checksum.add(oldPrice)
    checksum.add(image)
    checksum.addAll(slots) { slot, checksum in
      checksum.add(slot.id)
      checksum.add(slot.name)
      checksum.add(slot.min)
      checksum.add(slot.max)
      checksum.add(slot.optionListID)
      checksum.add(slot.options != nil)
      checksum.add(slot.defaultProductID)
      checksum.addAll(resolver.options(of: slot)) { $0.visit(&$1) }
    }
  }
}

extension SlotOption {
  fileprivate func visit(_ checksum: inout Checksum) {
    checksum.add(productID)
    checksum.add(variantID)
    checksum.add(surcharge)
    checksum.add(product != nil)
    product?.visit(&checksum)
  }
}

extension StopListEntry {
  fileprivate func visit(_ checksum: inout Checksum) {
    checksum.add(entity.rawValue)
    checksum.add(entityID)
    checksum.add(until)
  }
}

extension Translation {
  fileprivate func visit(_ checksum: inout Checksum) {
    checksum.add(locale)
    checksum.add(entity.rawValue)
    checksum.add(entityID)
    checksum.add(name)
    checksum.add(details)
  }
}
