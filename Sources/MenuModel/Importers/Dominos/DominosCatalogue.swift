/// Turns a Domino's file into a menu, one kind of thing after the other, taking notes.
struct DominosCatalogue {
  /// The family of a list of toppings or sides.
  struct Family: Hashable {
    var section: Section
    /// The product type.
    var name: String

    enum Section: String, CaseIterable {
      case toppings
      case sides
    }
  }

  /// A topping or side: one code means different things in different families.
  struct IngredientKey: Hashable {
    var family: Family
    var code: String
  }

  let file: DominosFile
  var notes = ImportNotes()
  var categories: [Category] = []
  /// The codes of products in the order of the categories, each once.
  var shelved: [(code: String, categoryID: Int)] = []
  var ingredients: [Ingredient] = []
  var ingredientIDs: [IngredientKey: Int] = [:]
  var modifierGroups: [ModifierGroup] = []
  var modifierGroupIDs: [[IngredientKey]: Int] = [:]
  /// Where each variant went, by code.
  var variants: [String: (productID: Int, variantID: Int)] = [:]
  /// The codes of variants that a product has listed.
  var listedVariants: Set<String> = []

  init(_ file: DominosFile) {
    self.file = file
  }

  /// The menu; call it once.
  mutating func menu() -> Menu {
    addCategories()
    addIngredients()
    let products = products()
    let combos = coupons() + preconfigured(after: file.coupons.count, products)
    noteUnplaced()
    return Menu(
      id: storeID(), revision: 1, locale: locale(), currency: currency(), city: "",
      categories: categories, ingredients: ingredients, modifierGroups: modifierGroups,
      products: products, combos: combos)
  }

  private mutating func storeID() -> Int {
    if let id = file.store?.id.flatMap({ Int($0) }) { return id }
    notes.add(.storeWithoutNumber, named: file.store?.id)
    return 1
  }

  private mutating func locale() -> String {
    if let language = file.store?.language, !language.isEmpty { return language }
    notes.add(.storeWithoutLanguage)
    return "und"
  }

  private mutating func currency() -> String {
    notes.add(.currencyAssumed)
    return "USD"
  }
}
