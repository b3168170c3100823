extension DominosCatalogue {
  /// The variants that a product lists, that are in the file, and that have a price.
  mutating func variants(
    of product: Row<DominosFile.Product>, productID: Int
  ) -> [Variant] {
    product.variants.compactMap { code in
      guard let row = file.variants[code] else {
        notes.add(.unknownVariant, named: code)
        return nil
      }
      guard listedVariants.insert(code).inserted else {
        notes.add(.repeatedVariant, named: code)
        return nil
      }
      guard let price = row.price?.cents else {
        notes.add(.variantWithoutPrice, named: code)
        return nil
      }
      return variant(row, code, price, of: product, productID)
    }
  }

  private mutating func variant(
    _ row: Row<DominosFile.Variant>, _ code: String, _ price: Int,
    of product: Row<DominosFile.Product>, _ productID: Int
  ) -> Variant {
    checkCode(row.code, code)
    if let owner = row.productCode, file.products[owner]?.variants.contains(code) != true {
      notes.add(.otherProduct, named: code)
    }
    let id = variants.count + 1
    variants[code] = (productID, id)
    return Variant(
      id: id, code: code, size: size(row, product.productType),
      dough: dough(row, product.productType),
      price: price, priceTiers: tiers(row, code), image: row.image ?? "")
  }

  private mutating func tiers(_ row: Row<DominosFile.Variant>, _ code: String) -> [PriceTier] {
    (row.pricing ?? [:]).sorted { $0.key < $1.key }.compactMap { name, money in
      guard let cents = money.cents else {
        notes.add(.tierWithoutPrice, named: "\(name) of \(code)")
        return nil
      }
      return PriceTier(name: name, price: cents)
    }
  }

  /// The size's name; a variant without a size is told apart by its own name.
  private mutating func size(_ row: Row<DominosFile.Variant>, _ family: String) -> String {
    guard let code = row.sizeCode, !code.isEmpty else {
      notes.add(.variantWithoutSize)
      return row.name ?? ""
    }
    if let size = file.sizes[family]?[code] { return size.name }
    notes.add(.unknownSize, named: "\(code) of \(family)")
    return code
  }

  private mutating func dough(_ row: Row<DominosFile.Variant>, _ family: String) -> String? {
    guard let code = row.flavorCode, !code.isEmpty else { return nil }
    if let flavor = file.flavors[family]?[code] { return flavor.name }
    notes.add(.unknownFlavor, named: "\(code) of \(family)")
    return code
  }
}
