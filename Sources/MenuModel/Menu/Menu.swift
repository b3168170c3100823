// A menu is a document: whoever has the menu sees what it conforms to.
@_exported import BenchDocuments

/// A whole menu of one store, as an app holds it in memory.
///
/// Things name each other by id. Ids are unique among things of one kind within the menu;
/// `validate()` checks them. The order of every array is part of the value.
public struct Menu: Codable, Hashable, Sendable {
  /// The store's menu id.
  public var id: Int
  /// Grows with every change of the menu.
  public var revision: Int
  /// The language of the texts, BCP 47: `ru-RU`.
  public var locale: String
  /// The currency of every price, ISO 4217: `RUB`. Prices are whole minor units of it.
  public var currency: String
  /// The city that the store is in.
  public var city: String
  /// Shelves, in the order to show them in.
  public var categories: [Category]
  /// What products are made of.
  public var ingredients: [Ingredient]
  /// What may be added to products, priced by size.
  public var modifierGroups: [ModifierGroup]
  /// Everything that can be ordered by itself.
  public var products: [Product]
  /// Option lists that several slots share; empty where every slot repeats its own.
  public var optionLists: [OptionList]
  /// Sets of products at one price.
  public var combos: [Combo]
  /// What is out of stock now.
  public var stopList: [StopListEntry]
  /// What single stores have otherwise.
  public var storeOverrides: [StoreOverride]
  /// Texts in further languages.
  public var translations: [Translation]

  /// Makes a menu; every list is empty unless given.
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

/// A shelf of the menu.
public struct Category: Codable, Hashable, Sendable {
  /// Unique among the menu's categories.
  public var id: Int
  /// The category that this one stands in; nil at the top.
  public var parentID: Int?
  /// The name shown.
  public var name: String

  /// Makes a category.
  public init(id: Int, parentID: Int? = nil, name: String) {
    self.id = id
    self.parentID = parentID
    self.name = name
  }

  /// Feeds every field.
  public func visit(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(parentID)
    checksum.add(name)
  }
}

extension Menu {
  /// The options of a slot, whether shared or its own; empty where its list does not exist.
  ///
  /// Cost: a search of the option lists. To resolve many slots, use ``SlotResolver``.
  public func options(of slot: Slot) -> [SlotOption] {
    if let own = slot.options { return own }
    return optionLists.first { $0.id == slot.optionListID }?.options ?? []
  }
}

/// Finds the options of many slots of one menu: an index made once, then constant time a slot.
public struct SlotResolver: Sendable {
  private let lists: [Int: [SlotOption]]

  /// Indexes a menu's shared lists; of two with one id the first counts.
  public init(_ menu: Menu) {
    lists = Dictionary(
      menu.optionLists.map { ($0.id, $0.options) }, uniquingKeysWith: { first, _ in first })
  }

  /// The options of a slot, whether shared or its own; empty where its list does not exist.
  public func options(of slot: Slot) -> [SlotOption] {
    slot.options ?? slot.optionListID.flatMap { lists[$0] } ?? []
  }
}

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

  /// What a combo costs grows with its slots' options, which are most of a real menu.
  public static var sizedBy: String? { "slot options" }

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
    checksum.addAll(storeOverrides) { $0.visit(&$1) }
    checksum.addAll(translations) { $0.visit(&$1) }
  }
}
