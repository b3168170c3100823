import MenuModel

/// Puts combos and shared option lists together from their rows.
struct ComboAssembly {
  /// In the order of the menu.
  let lists: [OptionList]
  /// In the order of the menu.
  let combos: [Combo]

  init(_ rows: MenuRows, _ catalogue: Catalogue) throws {
    lists = try Self.lists(rows, catalogue)
    var slots = Children(try Self.slots(rows, catalogue).grouped())
    combos = rows.combos.map { row in
      Combo(
        id: row.id, code: row.code, name: row.name, details: row.details, price: row.price,
        oldPrice: row.oldPrice, image: row.image, slots: slots.next(of: row.id).map(\.value))
    }.arranged(by: rows.combos)
    try slots.finish()
  }

  private static func lists(_ rows: MenuRows, _ catalogue: Catalogue) throws -> [OptionList] {
    var options = Children(rows.listOptions)
    let lists = try rows.optionLists.map { row in
      OptionList(
        id: row.id,
        options: try options.next(of: row.id).map { try SlotOption($0, catalogue) })
    }
    try options.finish()
    return lists.arranged(by: rows.optionLists)
  }

  /// Slots in the order of their ids.
  private static func slots(
    _ rows: MenuRows, _ catalogue: Catalogue
  ) throws -> [Placed<Slot>] {
    var options = Children(rows.slotOptions)
    let slots = try rows.slots.map { row in
      let own =
        try row.hasOwnOptions
        ? options.next(of: row.id).map { try SlotOption($0, catalogue) } : nil
      return Placed(
        parent: row.comboID, position: row.position,
        value: Slot(
          id: row.id, name: row.name, min: row.min, max: row.max,
          optionListID: row.optionListID, options: own, defaultProductID: row.defaultProductID))
    }
    try options.finish()
    return slots
  }
}

extension SlotOption {
  fileprivate init(_ row: SlotOptionRow<some OptionOwner>, _ catalogue: Catalogue) throws {
    self.init(
      productID: row.productID, variantID: row.variantID, surcharge: row.surcharge,
      product: row.embedsProduct ? try catalogue.product(row.productID) : nil)
  }
}
