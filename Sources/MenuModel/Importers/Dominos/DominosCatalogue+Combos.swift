extension DominosCatalogue {
  /// Coupons by code; without slots, because the file says only in words what they are for.
  mutating func coupons() -> [Combo] {
    notes.add(leftoversOf: file.coupons.values, .coupon)
    return file.coupons.sorted { $0.key < $1.key }.enumerated().map { index, entry in
      let (code, row) = entry
      checkCode(row.code, code)
      let price = row.price?.cents
      if price == nil { notes.add(.couponWithoutPrice, named: code) }
      notes.add(.couponWithoutContent)
      return Combo(
        id: index + 1, code: code, name: row.name, details: row.details ?? "", price: price,
        image: row.image ?? "", slots: [])
    }
  }

  /// Preconfigured products by code, each with one slot that holds its variant.
  mutating func preconfigured(after count: Int, _ products: [Product]) -> [Combo] {
    notes.add(leftoversOf: file.preconfigured.values, .preconfigured)
    notes.add(.preconfiguredWithoutPrice, count: file.preconfigured.count)
    let names = Dictionary(uniqueKeysWithValues: products.map { ($0.id, $0.name) })
    return file.preconfigured.sorted { $0.key < $1.key }.enumerated().map { index, entry in
      let (code, row) = entry
      checkCode(row.code, code)
      return Combo(
        id: count + index + 1, code: code, name: row.name, details: row.details ?? "",
        price: nil, image: "", slots: slots(of: row, code, id: index + 1, names))
    }
  }

  private mutating func slots(
    of row: Row<DominosFile.Preconfigured>, _ code: String, id: Int, _ names: [Int: String]
  ) -> [Slot] {
    guard let place = variants[row.variantCode] else {
      notes.add(.preconfiguredOfUnknownVariant, named: code)
      return []
    }
    let option = SlotOption(productID: place.productID, variantID: place.variantID)
    return [
      Slot(
        id: id, name: names[place.productID] ?? "", min: 1, max: 1, options: [option],
        defaultProductID: place.productID)
    ]
  }
}
