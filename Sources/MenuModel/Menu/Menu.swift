/// A whole menu of one store, as an app holds it in memory.
///
/// Things name each other by id. Ids are unique among things of one kind within the menu;
/// ``validate()`` checks them. The order of every array is part of the value.
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
  /// Texts in further languages.
  public var translations: [Translation]

  /// Makes a menu; every list is empty unless given.
  public init(
    id: Int, revision: Int, locale: String, currency: String, city: String,
    categories: [Category] = [], ingredients: [Ingredient] = [],
    modifierGroups: [ModifierGroup] = [], products: [Product] = [],
    optionLists: [OptionList] = [], combos: [Combo] = [], stopList: [StopListEntry] = [],
    translations: [Translation] = []
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
    self.translations = translations
  }
}
