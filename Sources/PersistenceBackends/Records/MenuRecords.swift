import GRDB
import MenuModel

/// A menu as records: arrays in the order of the menu, each with the records that belong to it.
public struct MenuRecords: Hashable, Sendable {
  var menu: MenuRecord
  var categories: [CategoryRecord]
  var ingredients: [IngredientRecord]
  var modifierGroups: [ModifierGroupInfo]
  var products: [ProductInfo]
  var optionLists: [OptionListInfo]
  var combos: [ComboInfo]
  var stopList: [StopListRecord]
  var translations: [TranslationRecord]
}

extension MenuRecords {
  /// Takes a menu apart.
  ///
  /// - Throws: ``StorageError`` where an embedded product is not the menu's own.
  init(_ menu: Menu) throws {
    let catalogue = Catalogue(menu.products)
    self.init(
      menu: MenuRecord(menu),
      categories: menu.categories.enumerated().map { CategoryRecord($1, at: $0) },
      ingredients: menu.ingredients.enumerated().map { IngredientRecord($1, at: $0) },
      modifierGroups: menu.modifierGroups.enumerated().map { ModifierGroupInfo($1, at: $0) },
      products: menu.products.enumerated().map { ProductInfo($1, at: $0) },
      optionLists: try menu.optionLists.enumerated().map {
        try OptionListInfo($1, at: $0, catalogue)
      },
      combos: try menu.combos.enumerated().map { try ComboInfo($1, at: $0, catalogue) },
      stopList: menu.stopList.enumerated().map { StopListRecord($1, at: $0) },
      translations: menu.translations.enumerated().map { TranslationRecord($1, at: $0) })
  }

  /// The menu that the records hold.
  ///
  /// - Throws: ``StorageError`` where records contradict each other.
  func whole() throws -> Menu {
    let products = try products.map { try $0.whole() }
    let catalogue = Catalogue(products)
    return Menu(
      id: menu.id, revision: menu.revision, locale: try menu.locale.restored(),
      currency: try menu.currency.restored(), city: try menu.city.restored(),
      categories: try categories.map { try $0.category() },
      ingredients: try ingredients.map { try $0.ingredient() },
      modifierGroups: try modifierGroups.map { try $0.group() }, products: products,
      optionLists: try optionLists.map { try $0.list(catalogue) },
      combos: try combos.map { try $0.whole(catalogue) },
      stopList: try stopList.map { try $0.entry() },
      translations: try translations.map { try $0.translation() })
  }

  /// Gives every record, parents before what belongs to them.
  func put(into sink: inout some RecordSink) throws {
    try sink.take(menu)
    for category in categories { try sink.take(category) }
    for ingredient in ingredients { try sink.take(ingredient) }
    for group in modifierGroups { try group.put(into: &sink) }
    for product in products { try product.put(into: &sink) }
    for list in optionLists { try list.put(into: &sink) }
    for combo in combos { try combo.put(into: &sink) }
    for entry in stopList { try sink.take(entry) }
    for translation in translations { try sink.take(translation) }
  }
}
