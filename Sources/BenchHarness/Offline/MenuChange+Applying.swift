import MenuModel

extension Menu {
  /// Makes a change, of which making it once more changes nothing. The revision stays.
  ///
  /// - Throws: `UnknownPatchTarget` where it names what is not there; the menu is then as it was.
  mutating func apply(_ change: MenuChange) throws(UnknownPatchTarget) {
    if let patch = change.patch(revision: revision) { return try apply(patch) }
    switch change {
    case .create(let product):
      if self.product(product.id) == nil { products.append(product) }
    case .stop(let id):
      try checkProduct(id)
      let isStopped = stopList.contains { $0.entity == .product && $0.entityID == id }
      if !isStopped { stopList.append(StopListEntry(entity: .product, entityID: id)) }
    case .offer(let id, let slot):
      try checkProduct(id)
      try offer(id, in: slot)
    case .price, .availability, .delete: break
    }
  }

  private func checkProduct(_ id: Int) throws(UnknownPatchTarget) {
    guard product(id) != nil else { throw UnknownPatchTarget(entity: .product, id: id) }
  }

  private mutating func offer(_ id: Int, in slotID: Int) throws(UnknownPatchTarget) {
    for combo in combos.indices {
      for slot in combos[combo].slots.indices where combos[combo].slots[slot].id == slotID {
        if combos[combo].slots[slot].options != nil {
          combos[combo].slots[slot].options?.offer(id)
        } else if let list = optionLists.firstIndex(where: {
          $0.id == combos[combo].slots[slot].optionListID
        }) {
          optionLists[list].options.offer(id)
        }
        return
      }
    }
    throw UnknownPatchTarget(entity: .slot, id: slotID)
  }
}

extension [SlotOption] {
  fileprivate mutating func offer(_ id: Int) {
    let isThere = contains { $0.productID == id && $0.variantID == nil }
    if !isThere { append(SlotOption(productID: id)) }
  }
}
