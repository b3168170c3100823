import Foundation
import MenuModel

/// Makes a menu into the bytes of a file. Equal texts and equal lists are kept once, whatever the
/// menu repeats; the order in which things are met decides every number, so equal menus give equal
/// bytes.
struct FlatEncoder: ~Copyable {
  var texts: FlatTexts
  var categories = FlatWriter<FlatCategory>()
  var ingredients = FlatWriter<FlatIngredient>()
  var modifierGroups = FlatWriter<FlatModifierGroup>()
  var modifiers = FlatWriter<FlatModifier>()
  var sizePrices = FlatWriter<FlatPrice>()
  var stopList = FlatWriter<FlatStop>()
  var translations: FlatWriter<FlatTranslation>
  var productIndex = FlatIndexWriter()
  var comboIndex = FlatIndexWriter()
  var combos: FlatWriter<FlatCombo>
  var slots = FlatWriter<FlatSlot>()
  var optionLists = FlatWriter<FlatOptionList>()
  var options = FlatWriter<FlatOption>()
  var products: FlatWriter<FlatProduct>
  var variants: FlatWriter<FlatVariant>
  var nutrition = FlatWriter<FlatNutrition>()
  var priceTiers = FlatWriter<FlatPrice>()
  var parts = FlatWriter<FlatPart>()
  var tags = FlatWriter<UInt32>()
  var groupIDs = FlatWriter<Int>()
  var sharedOptions: [Int: FlatRange] = [:]

  /// Prepares for a menu; sizes are first guesses.
  private init(_ menu: Menu) {
    texts = FlatTexts(capacity: 4 * menu.products.count + menu.translations.count + 64)
    translations = FlatWriter(capacity: menu.translations.count)
    combos = FlatWriter(capacity: menu.combos.count)
    products = FlatWriter(capacity: menu.products.count)
    variants = FlatWriter(capacity: 2 * menu.products.count)
  }

  /// The bytes of a file with a menu.
  ///
  /// - Throws: ``FlatLimit`` where the menu has more of something than the format can count.
  static func encode(_ menu: Menu) throws -> Data {
    var encoder = FlatEncoder(menu)
    let fields = encoder.add(menu)
    return try encoder.file(fields)
  }

  /// Products first, so that what a combo touches stands together; translations last.
  private mutating func add(_ menu: Menu) -> FlatMenu {
    var fields = FlatMenu(
      id: menu.id, revision: menu.revision, locale: texts.number(of: menu.locale),
      currency: texts.number(of: menu.currency), city: texts.number(of: menu.city), products: 0,
      variants: 0)
    for product in menu.products { addOwn(product) }
    fields.products = UInt32(truncatingIfNeeded: products.count)
    fields.variants = UInt32(truncatingIfNeeded: variants.count)
    for list in menu.optionLists { add(list) }
    for combo in menu.combos { add(combo) }
    for category in menu.categories { add(category) }
    for ingredient in menu.ingredients { add(ingredient) }
    for group in menu.modifierGroups { add(group) }
    for entry in menu.stopList { add(entry) }
    for translation in menu.translations { add(translation) }
    return fields
  }
}
