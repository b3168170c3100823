// Re-exports BenchDocuments, so that clients of the menu see the protocol that it conforms to.
@_exported import BenchDocuments

/// The whole menu of one store, as an app holds it in memory.
///
/// Things refer to each other by id. Ids are unique among things of one kind within the menu, as
/// `validate()` checks. The order of every array is part of the value.
public struct Menu: Codable, Hashable, Sendable {
  /// The id of the store's menu.
  public var id: Int
  /// The revision, which grows with every change of the menu.
  public var revision: Int
  /// The language of the texts, BCP 47, such as `ru-RU`.
  public var locale: String
  /// The currency of all prices, ISO 4217, such as `RUB`. Prices are integers in its minor units.
  public var currency: String
  /// The city of the store.
  public var city: String
  /// The categories in display order.
  public var categories: [Category]
  /// The ingredients of products.
  public var ingredients: [Ingredient]
  /// The modifiers that can be added to products, priced by size.
  public var modifierGroups: [ModifierGroup]
  /// The products.
  public var products: [Product]
  /// The option lists that several slots share. Empty if every slot has its own options.
  public var optionLists: [OptionList]
  /// The sets of products at one price.
  public var combos: [Combo]
  /// The things that are out of stock now.
  public var stopList: [StopListEntry]
  /// The values in which single stores differ from the menu.
  public var storeOverrides: [StoreOverride]
  /// The texts in additional languages.
  public var translations: [Translation]

  /// Creates a menu. Every list is empty by default.
  public init(
    id: Int, revision: Int, locale: String, currency: String, city: String,
    categories: [Category] = [], ingredients: [Ingredient] = [],
    modifierGroups: [ModifierGroup] = [], products: [Product] = [],
    optionLists: [OptionList] = [], combos: [Combo] = [], stopList: [StopListEntry] = [],
    storeOverrides: [StoreOverride] = [], translations: [Translation] = []
  ) {
    self.id = id
    self.revision = revision
    self.locale = locale
    self.currency = currency
    self.city = city
    self.categories = categories
    self.ingredients = ingredients
    self.modifierGroups = modifierGroups
    self.products = products
    self.optionLists = optionLists
    self.combos = combos
    self.stopList = stopList
    self.storeOverrides = storeOverrides
    self.translations = translations
  }
}

/// A category of products.
public struct Category: Codable, Hashable, Sendable {
  /// The id, unique among the menu's categories.
  public var id: Int
  /// The id of the parent category. Nil at the top level.
  public var parentID: Int?
  /// The displayed name.
  public var name: String

  /// Creates a category.
  public init(id: Int, parentID: Int? = nil, name: String) {
    self.id = id
    self.parentID = parentID
    self.name = name
  }

  /// Adds every field to a checksum.
  public func visit(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(parentID)
    checksum.add(name)
  }
}

extension Menu {
  /// Returns the options of a slot, shared or its own. Empty if the shared list is missing.
  ///
  /// Searches the option lists. To resolve many slots, use ``SlotResolver``.
  public func options(of slot: Slot) -> [SlotOption] {
    if let own = slot.options { return own }
    return optionLists.first { $0.id == slot.optionListID }?.options ?? []
  }
}

/// Finds the options of many slots of one menu, in constant time per slot after one indexing pass.
public struct SlotResolver: Sendable {
  private let lists: [Int: [SlotOption]]

  /// Indexes a menu's shared lists. If an id occurs more than once, the first list counts.
  public init(_ menu: Menu) {
    lists = Dictionary(
      menu.optionLists.map { ($0.id, $0.options) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the options of a slot, shared or its own. Empty if the shared list is missing.
  public func options(of slot: Slot) -> [SlotOption] {
    slot.options ?? slot.optionListID.flatMap { lists[$0] } ?? []
  }
}

extension Menu: BenchDocument {
  /// The number of things of each kind. Slot options count in every slot that shows them.
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

  /// The count that determines the cost of combos. Slot options are most of a real menu.
  public static var sizedBy: String? { "slot options" }

  /// Adds every field to a checksum. A shared list counts once, and again for every slot with it.
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
    checksum.addAll(storeOverrides) { $0.visit(&$1) }
    checksum.addAll(translations) { $0.visit(&$1) }
  }
}
