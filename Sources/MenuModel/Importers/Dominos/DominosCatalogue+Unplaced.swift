extension DominosCatalogue {
  /// Notes the variants' names that nothing shows: a size stands in their place.
  mutating func noteNames() {
    let sized = file.variants.values.filter {
      !($0.sizeCode ?? "").isEmpty && !($0.name ?? "").isEmpty
    }
    notes.add(.noPlace(field: "Name", of: .variant), count: sized.count)
  }

  /// Notes what the file holds beside products, and the sizes and flavors that nothing has.
  mutating func noteUnplaced() {
    notes.add(leftoversOf: file.sizes.values.flatMap(\.values), .size)
    notes.add(leftoversOf: file.flavors.values.flatMap(\.values), .flavor)
    noteUnused(file.sizes, .unusedSize) { $0.sizeCode }
    noteUnused(file.flavors, .unusedFlavor) { $0.flavorCode }
    if let store = file.store { notes.add(leftoversOf: [store], .store) }
    for (name, count) in file.unplaced.sorted(by: { $0.key < $1.key }) {
      notes.add(.noPlace(Noun(key: name)), count: count)
    }
  }

  private mutating func noteUnused(
    _ families: DominosFile.Families<DominosFile.Named>, _ finding: Finding,
    code: (Row<DominosFile.Variant>) -> String?
  ) {
    var unused = families.mapValues { Set($0.keys) }
    for product in file.products.values {
      for variant in product.variants.compactMap({ file.variants[$0] }) {
        if let code = code(variant) { unused[product.productType]?.remove(code) }
      }
    }
    for (family, codes) in unused.sorted(by: { $0.key < $1.key }) {
      for code in codes.sorted() { notes.add(finding, named: "\(code) of \(family)") }
    }
  }
}
