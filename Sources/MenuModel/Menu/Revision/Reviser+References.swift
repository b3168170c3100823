extension Reviser {
  /// Has a slot choose among what is there now.
  func refer(_ slot: inout Slot, _ current: [Int: Product]) {
    slot.defaultProductID = slot.defaultProductID.map { products[$0] ?? $0 }
    guard var options = slot.options else { return }
    refer(&options, current)
    slot.options = options
  }

  /// Has options name what is there now, and embed it where they did.
  func refer(_ options: inout [SlotOption], _ current: [Int: Product]) {
    for index in options.indices {
      options[index].productID = products[options[index].productID] ?? options[index].productID
      options[index].variantID = options[index].variantID.map { variants[$0] ?? $0 }
      if options[index].product != nil {
        options[index].product = current[options[index].productID]
      }
    }
  }

  /// Has the stop list and translations name what is there now; what is gone has neither.
  func refer(_ revised: inout Menu) {
    let combos = Set(revised.combos.map(\.id))
    let slots = Set(revised.combos.lazy.flatMap(\.slots).map(\.id))
    func reference(_ entity: Entity, _ id: Int) -> Int? {
      switch entity {
      case .product: products[id] ?? id
      case .variant: variants[id] ?? id
      case .combo: combos.contains(id) ? id : nil
      case .slot: slots.contains(id) ? id : nil
      case .category, .ingredient, .modifierGroup: id
      }
    }
    revised.stopList = menu.stopList.compactMap { entry in
      reference(entry.entity, entry.entityID).map {
        StopListEntry(entity: entry.entity, entityID: $0, until: entry.until)
      }
    }
    revised.translations = menu.translations.compactMap { old in
      guard let id = reference(old.entity, old.entityID) else { return nil }
      var translation = old
      translation.entityID = id
      return translation
    }
  }
}
