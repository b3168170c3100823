/// A menu as objects and the links between them, each kind in the order of its keys.
///
/// A payload's size is that of the values bound: 8 bytes for a number, the UTF-8 length of a text,
/// nothing for NULL.
public struct ObjectGraph: Hashable, Sendable {
  var menus = OrderedRows<Stored<MenuObject>>()
  var categories = OrderedRows<Stored<CategoryObject>>()
  var ingredients = OrderedRows<Stored<IngredientObject>>()
  var modifierGroups = OrderedRows<Stored<ModifierGroupObject>>()
  var modifierOptions = OrderedRows<Stored<ModifierOptionObject>>()
  var sizePrices = OrderedRows<Stored<SizePriceObject>>()
  var combos = OrderedRows<Stored<ComboObject>>()
  var slots = OrderedRows<Stored<SlotObject>>()
  var optionLists = OrderedRows<Stored<OptionListObject>>()
  var slotOptions = OrderedRows<Stored<SlotOptionObject>>()
  var products = OrderedRows<Stored<ProductObject>>()
  var tags = OrderedRows<Stored<TagObject>>()
  var productIngredients = OrderedRows<Stored<ProductIngredientObject>>()
  var variants = OrderedRows<Stored<VariantObject>>()
  var priceTiers = OrderedRows<Stored<PriceTierObject>>()
  var nutrition = OrderedRows<Stored<NutritionObject>>()
  var nutritionFacts = OrderedRows<Stored<NutritionFactsObject>>()
  var stopList = OrderedRows<Stored<StopListEntryObject>>()
  var translations = OrderedRows<Stored<TranslationObject>>()

  var menuCategories = OrderedRows<Link<MenuCategories>>()
  var menuIngredients = OrderedRows<Link<MenuIngredients>>()
  var menuModifierGroups = OrderedRows<Link<MenuModifierGroups>>()
  var menuProducts = OrderedRows<Link<MenuProducts>>()
  var menuOptionLists = OrderedRows<Link<MenuOptionLists>>()
  var menuCombos = OrderedRows<Link<MenuCombos>>()
  var menuStopList = OrderedRows<Link<MenuStopList>>()
  var menuTranslations = OrderedRows<Link<MenuTranslations>>()
  var modifierGroupOptions = OrderedRows<Link<ModifierGroupOptions>>()
  var modifierOptionPrices = OrderedRows<Link<ModifierOptionPrices>>()
  var comboSlots = OrderedRows<Link<ComboSlots>>()
  var optionListOptions = OrderedRows<Link<OptionListOptions>>()
  var productTags = OrderedRows<Link<ProductTags>>()
  var productVariants = OrderedRows<Link<ProductVariants>>()
  var productParts = OrderedRows<Link<ProductParts>>()
  var productModifierGroups = OrderedRows<Link<ProductModifierGroups>>()
  var variantPriceTiers = OrderedRows<Link<VariantPriceTiers>>()
}

extension ObjectGraph {
  /// Every table of objects and of links.
  static let tables: [GraphTable] =
    ObjectKind.all.map(\.table) + [
      GraphTable(Link<MenuCategories>.self), GraphTable(Link<MenuIngredients>.self),
      GraphTable(Link<MenuModifierGroups>.self), GraphTable(Link<MenuProducts>.self),
      GraphTable(Link<MenuOptionLists>.self), GraphTable(Link<MenuCombos>.self),
      GraphTable(Link<MenuStopList>.self), GraphTable(Link<MenuTranslations>.self),
      GraphTable(Link<ModifierGroupOptions>.self), GraphTable(Link<ModifierOptionPrices>.self),
      GraphTable(Link<ComboSlots>.self), GraphTable(Link<OptionListOptions>.self),
      GraphTable(Link<ProductTags>.self), GraphTable(Link<ProductVariants>.self),
      GraphTable(Link<ProductParts>.self), GraphTable(Link<ProductModifierGroups>.self),
      GraphTable(Link<VariantPriceTiers>.self),
    ]

  /// The bytes of every value.
  var bytes: Int { Self.tables.reduce(0) { $0 + $1.bytes(self) } }
}
