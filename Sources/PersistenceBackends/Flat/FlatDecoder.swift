import MenuModel

/// Builds a menu from a file's bytes. Every text is made once and shared, and so is every list that
/// the file keeps once.
struct FlatDecoder {
  let image: FlatImage
  let texts: [String]
  let products: [Product]
  private var optionLists: FlatLists<FlatOption, SlotOption>

  /// Decodes a menu.
  ///
  /// - Throws: ``FlatFault`` where the bytes contradict the format.
  static func menu(of image: FlatImage) throws -> Menu {
    var decoder = try FlatDecoder(image)
    return try decoder.menu()
  }

  private init(_ image: FlatImage) throws {
    self.image = image
    texts = try image.texts()
    products = try FlatProductDecoder.products(of: image, texts)
    optionLists = FlatLists(image.options)
  }

  private mutating func menu() throws -> Menu {
    let fields = try image.menu()
    let own = try image.ownProducts().count
    return Menu(
      id: fields.id, revision: fields.revision, locale: try text(fields.locale),
      currency: try text(fields.currency), city: try text(fields.city),
      categories: try array(image.categories.all) { try category($0) },
      ingredients: try array(image.ingredients.all) { try ingredient($0) },
      modifierGroups: try modifierGroups(),
      products: own == products.count ? products : Array(products[..<own]),
      optionLists: try array(image.optionLists.all) { try list($0) },
      combos: try array(image.combos.all) { try combo($0) },
      stopList: try array(image.stopList.all) { try stop($0) },
      translations: try array(image.translations.all) { try translation($0) })
  }

  private mutating func list(_ record: FlatOptionList) throws -> OptionList {
    OptionList(id: record.id, options: try options(record.options))
  }

  private mutating func combo(_ record: FlatCombo) throws -> Combo {
    Combo(
      id: record.id, code: try optional(record.code), name: try text(record.name),
      details: try text(record.details), price: record.price, oldPrice: record.oldPrice,
      image: try text(record.image),
      slots: try array(image.slots.run(record.slots)) { try slot($0) })
  }

  private mutating func slot(_ record: FlatSlot) throws -> Slot {
    Slot(
      id: record.id, name: try text(record.name), min: record.min, max: record.max,
      optionListID: record.optionListID,
      options: record.ownsOptions ? try options(record.options) : nil,
      defaultProductID: record.defaultProductID)
  }

  private mutating func options(_ range: FlatRange) throws -> [SlotOption] {
    let (image, products) = (image, products)
    return try optionLists.list(range) { record in
      SlotOption(
        productID: record.productID, variantID: record.variantID, surcharge: record.surcharge,
        product: try products.embedded(record.embedded, image))
    }
  }
}

extension [Product] {
  /// The copy that an option embeds, by its record; nil where it embeds none.
  @inline(__always)
  fileprivate func embedded(_ record: UInt32, _ image: FlatImage) throws -> Product? {
    guard record != FlatFormat.none else { return nil }
    guard Int(record) < count else { throw image.products.missing(record) }
    return self[Int(record)]
  }
}
