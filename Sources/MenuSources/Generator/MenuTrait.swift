import MenuModel

/// A property of a menu beyond its counts: the length of lists and texts, or what is present.
///
/// A trait is one number for each thing of a kind. A shape holds only the ``Spread`` of these
/// numbers: not which thing has which number, no text and no id. A new field of the model needs a
/// case and a visit in this file.
package enum MenuTrait: String, CaseIterable, Hashable, Sendable {
  // The cases are in the order in which a generated menu is fitted to them.

  /// Slots of a combo.
  case slots
  /// Options of a slot.
  case options
  /// Different option lists of the menu.
  case optionlists
  /// Digits of the products' ids.
  case ids
  /// Categories of the menu.
  case categories
  /// Ingredients of the menu.
  case ingredients
  /// Modifier groups of the menu.
  case groups
  /// Options of a modifier group.
  case modifiers
  /// Prices of a modifier group's option.
  case prices
  /// Variants of a product.
  case variants
  /// Price tiers of a variant.
  case tiers
  /// Ingredients of a product.
  case parts
  /// Modifier groups of a product.
  case choices
  /// Tags of a product.
  case tags
  /// Additional categories of a product.
  case shelves
  /// Serving hours of a product.
  case hours
  /// Allergens of a product.
  case allergens
  /// Modifier options that lead to another group.
  case nested
  /// Whether a variant has nutrition.
  case nutrition
  /// Whether a variant has a weight.
  case weights
  /// Whether a slot option names a variant.
  case pinned
  /// Whether a slot has a default.
  case defaults
  /// Whether a combo has an old price.
  case oldprices
  /// Letters of the names of products and combos.
  case names
  /// Letters of their descriptions.
  case details
  /// Letters of the names of categories, ingredients, modifier groups and slots.
  case labels
  /// Letters of the sizes of variants.
  case sizes
  /// Letters of the doughs of variants, 0 for none.
  case doughs
  /// Letters of the names of price tiers.
  case tiernames
  /// Letters of the codes of products, variants, ingredients and combos, 0 for none.
  case codes
  /// Letters of the images of variants and combos.
  case images
  /// UTF-8 bytes of most letters of a text: 1 for Latin, 2 for Cyrillic or Greek, 3 for Chinese.
  case bytes
  /// Entries of the stop list.
  case stop
  /// Store overrides of the menu.
  case overrides
  /// Translations of the menu.
  case translations
  /// Letters of translated names.
  case othernames
  /// Letters of translated descriptions, 0 for none.
  case otherdetails
  /// UTF-8 bytes of most letters of a translation.
  case otherbytes

  /// The traits that count letters.
  private static let lengths: Set<MenuTrait> = [
    .names, .details, .labels, .sizes, .doughs, .tiernames, .codes, .images, .othernames,
    .otherdetails,
  ]

  /// Whether the trait describes texts only, not the presence of things.
  var isOfTexts: Bool { Self.lengths.contains(self) || self == .bytes || self == .otherbytes }

  /// The allowed range of a number.
  var limits: ClosedRange<Int> {
    switch self {
    case .slots: 0...100
    case .options: 1...10_000
    case .optionlists: 0...1_000_000
    case .ids: 1...15
    case .categories, .variants: 1...10_000
    case .ingredients, .groups, .nested, .stop: 0...100_000
    case .overrides, .translations: 0...10_000_000
    case .modifiers, .prices, .tiers, .parts, .choices: 0...1_000
    case .tags, .shelves, .hours: 0...100
    case .allergens: 0...Allergen.allCases.count
    case .nutrition, .weights, .pinned, .defaults, .oldprices: 0...1
    case .bytes, .otherbytes: 1...3
    case .names, .details, .labels, .sizes, .doughs, .tiernames, .codes, .images, .othernames,
      .otherdetails:
      0...10_000
    }
  }

  /// The traits that the counts of a preset leave open.
  static let beyondCounts = allCases.filter { $0 != .slots && $0 != .options }
}

extension Menu {
  /// The spreads of all traits. A trait without any things has no spread.
  package var traits: [MenuTrait: Spread] {
    var fitter = MenuFitter(self)
    return MenuTrait.allCases.reduce(into: [:]) { $0[$1] = Spread(of: fitter.numbers($1)) }
  }
}

extension MenuFitter {
  // One long function, so that a reader finds each trait as one case.
  mutating func visit(_ trait: MenuTrait, _ body: (inout Int) -> Void) {
    switch trait {
    case .slots: menu.combos.forEach { Self.show($0.slots.count, body) }
    case .options:
      let resolver = SlotResolver(menu)
      menu.eachSlot { slot, _ in Self.show(resolver.options(of: slot).count, body) }
    case .optionlists: Self.show(lists.count, body)
    case .ids:
      if !menu.products.isEmpty {
        Self.show("\(menu.products[menu.products.count / 2].id)".count, body)
      }
    case .categories:
      // A generated category follows its parent, so a shortened list never loses only the parent.
      fit(\.categories, .category, body) { id, name, _ in Category(id: id, name: name) }
    case .ingredients:
      fit(\.ingredients, .ingredient, body) { id, name, _ in Ingredient(id: id, name: name) }
    case .groups:
      let models = menu.modifierGroups.map(\.options)
      fit(\.modifierGroups, .modifierGroup, body) { id, name, place in
        // Drops the groups that options lead to, since a later group might lead back.
        let options = models.isEmpty ? [] : models[place % models.count]
        return ModifierGroup(
          id: id, name: name, min: 0, max: 2,
          options: options.map { ModifierOption(ingredientID: $0.ingredientID, prices: $0.prices) })
      }
    case .modifiers:
      let ids = menu.ingredients.map(\.id)
      menu.each(\.modifierGroups) { group, index in
        Self.fit(&group.options, body) { options, new in
          guard !ids.isEmpty else { return [] }
          return new.map {
            ModifierOption(
              ingredientID: ids[(index + $0) % ids.count], prices: options.last?.prices ?? [])
          }
        }
      }
    case .prices:
      menu.eachModifier { option, _ in
        Self.fit(&option.prices, body) { _, new in
          new.map { SizePrice(size: "№ \($0 + 1)", price: 5_900) }
        }
      }
    case .nested: visitNested(body)
    case .variants: visitVariants(body)
    case .tiers:
      menu.eachVariant { variant, _ in
        let price = variant.price
        Self.fit(&variant.priceTiers, body) { _, new in
          new.map { PriceTier(name: "tier \($0 + 1)", price: price + 1_000 * ($0 + 1)) }
        }
      }
    case .parts:
      let ids = menu.ingredients.map(\.id)
      menu.each(\.products) { product, index in
        Self.fit(&product.ingredients, body) { parts, new in
          Self.others(ids, from: index, but: parts.map(\.ingredientID)).prefix(new.count)
            .map { ProductIngredient(ingredientID: $0, isRemovable: true) }
        }
      }
    case .choices:
      let ids = menu.modifierGroups.map(\.id)
      menu.each(\.products) { product, index in
        Self.fit(&product.modifierGroupIDs, body) { groups, new in
          Array(Self.others(ids, from: index, but: groups).prefix(new.count))
        }
      }
    case .tags:
      menu.each(\.products) { product, index in
        Self.fit(&product.tags, body) { _, new in
          new.map { "tag\(index % 3)\($0)" }
        }
      }
    case .shelves:
      let ids = menu.categories.map(\.id)
      menu.each(\.products) { product, index in
        let first = product.categoryID
        Self.fit(&product.otherCategoryIDs, body) { others, new in
          Array(Self.others(ids, from: index, but: [first] + others).prefix(new.count))
        }
      }
    case .hours:
      menu.each(\.products) { product, index in
        Self.fit(&product.hours, body) { _, new in
          new.map { ServingHours(days: 1 << ($0 % 7), from: 600, until: 1_320) }
        }
      }
    case .allergens:
      menu.each(\.products) { product, index in
        Self.fit(&product.allergens, body) { allergens, new in
          Array(Allergen.allCases.filter { !allergens.contains($0) }.prefix(new.count))
        }
      }
    case .nutrition:
      menu.eachVariant { variant, place in
        Self.fit(&variant.nutrition, body) { Self.nutrition(place) }
      }
    case .weights:
      menu.eachVariant { variant, place in Self.fit(&variant.weight, body) { 300 + place % 300 } }
    case .pinned: visitPinned(body)
    case .defaults:
      menu.eachSlot { slot, place in
        Self.fit(&slot.defaultProductID, body) {
          lists[listOfSlot[place]].options.first?.productID
        }
      }
    case .oldprices:
      menu.each(\.combos) { combo, _ in
        let price = combo.price ?? 0
        Self.fit(&combo.oldPrice, body) { price / 1_000 * 1_250 }
      }
    case .stop:
      let ids = menu.products.map(\.id)
      Self.fit(&menu.stopList, body) { _, new in
        new.map { StopListEntry(entity: .product, entityID: ids[$0 % ids.count]) }
      }
    case .overrides:
      let ids = menu.products.map(\.id)
      // Uses a new store for each pass over the products, with an id that the generator never uses.
      Self.fit(&menu.storeOverrides, body) { _, new in
        new.map {
          StoreOverride(
            storeID: 1_000 + $0 / ids.count, entity: .product, entityID: ids[$0 % ids.count],
            availability: .hidden)
        }
      }
    case .translations:
      // Additional languages repeat the first one, which translates everything.
      Self.fit(&menu.translations, body) { first, new in
        guard !first.isEmpty else { return [] }
        return new.map {
          var translation = first[$0 % first.count]
          translation.locale = "en-x-\($0 / first.count)"
          return translation
        }
      }
    case .names, .details, .labels, .sizes, .doughs, .tiernames, .codes, .images, .othernames,
      .otherdetails:
      eachText(trait) { Self.letters(of: &$0, &$1, $2, body) }
    case .bytes:
      for trait in [MenuTrait.names, .details, .labels, .sizes, .doughs] {
        eachText(trait) { Self.bytes(of: &$0, &$1, $2, body) }
      }
    case .otherbytes:
      for trait in [MenuTrait.othernames, .otherdetails] {
        eachText(trait) { Self.bytes(of: &$0, &$1, $2, body) }
      }
    }
  }

  /// Visits every text whose letters a trait counts.
  private mutating func eachText(_ trait: MenuTrait, _ visit: TextVisit) {
    switch trait {
    case .names:
      each(\.products, \.name, visit)
      each(\.combos, \.name, visit)
    case .details:
      each(\.products, \.details, visit)
      each(\.combos, \.details, visit)
    case .labels:
      each(\.categories, \.name, visit)
      each(\.ingredients, \.name, visit)
      each(\.modifierGroups, \.name, visit)
      menu.eachSlot { slot, _ in visit(&slot.name, &weaver, .label) }
    case .sizes: menu.eachVariant { variant, _ in visit(&variant.size, &weaver, .label) }
    case .doughs: menu.eachVariant { variant, _ in visit(&variant.dough.text, &weaver, .label) }
    case .tiernames:
      menu.eachVariant { variant, _ in
        for tier in variant.priceTiers.indices {
          visit(&variant.priceTiers[tier].name, &weaver, .label)
        }
      }
    case .codes:
      each(\.ingredients, \.code.text, visit, .code)
      menu.each(\.products) { product, _ in
        visit(&product.code.text, &weaver, .code)
        for variant in product.variants.indices {
          visit(&product.variants[variant].code.text, &weaver, .code)
        }
      }
      each(\.combos, \.code.text, visit, .code)
    case .images:
      menu.eachVariant { variant, _ in visit(&variant.image, &weaver, .image) }
      each(\.combos, \.image, visit, .image)
    case .othernames: each(\.translations, \.name, visit)
    case .otherdetails: each(\.translations, \.details.text, visit)
    default: break
    }
  }
}
