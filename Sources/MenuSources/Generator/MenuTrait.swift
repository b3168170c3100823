import MenuModel

/// What a shape may say of a menu beyond its counts: how long its lists and texts are, and what is there
/// at all.
///
/// Each is a number for every thing of some kind, and its ``Spread`` is what a shape holds: never which
/// thing has which, no text and no id. A new field of the model gets a case here and its visit in
/// ``MenuFitter``.
package enum MenuTrait: String, CaseIterable, Hashable, Sendable {
  // In the order in which a generated menu is fitted to them.

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
  /// Prices of such an option.
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
  /// Further categories of a product.
  case shelves
  /// Serving hours of a product.
  case hours
  /// Allergens of a product.
  case allergens
  /// Options of the menu's modifier groups that lead to further groups.
  case nested
  /// Whether a variant has nutrition.
  case nutrition
  /// Whether a variant has a weight.
  case weights
  /// Whether a slot's option is one variant.
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
  /// Letters of variants' sizes.
  case sizes
  /// Letters of variants' doughs; 0 for none.
  case doughs
  /// Letters of price tiers' names.
  case tiernames
  /// Letters of the codes of products, variants, ingredients and combos; 0 for none.
  case codes
  /// Letters of the images of variants and combos.
  case images
  /// Bytes of UTF-8 that most letters of a text take: 1 Latin, 2 Cyrillic or Greek, 3 Chinese.
  case bytes
  /// Entries of the stop list.
  case stop
  /// Store overrides of the menu.
  case overrides
  /// Translations of the menu.
  case translations
  /// Letters of translated names.
  case othernames
  /// Letters of translated descriptions; 0 for none.
  case otherdetails
  /// Bytes that most letters of a translation take.
  case otherbytes

  /// Whether it is of texts alone, not of what there is.
  var isOfTexts: Bool {
    switch self {
    case .names, .details, .labels, .sizes, .doughs, .tiernames, .codes, .images, .bytes,
      .othernames, .otherdetails, .otherbytes:
      true
    default: false
    }
  }

  /// What one number may be.
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

  /// Those that a preset's counts leave open.
  static let beyondCounts = allCases.filter { $0 != .slots && $0 != .options }
}

extension Menu {
  /// How long the menu's lists and texts are, and what is there at all; of what it has none of there is
  /// no spread.
  package var traits: [MenuTrait: Spread] {
    var fitter = MenuFitter(self)
    return MenuTrait.allCases.reduce(into: [:]) { $0[$1] = Spread(of: fitter.numbers($1)) }
  }
}
