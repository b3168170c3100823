extension DominosCatalogue {
  /// The tree that holds the menu's shelves; the others arrange coupons and suggestions.
  private static let foodTree = "Food"

  /// Adds every node of the food tree, empty ones and the root too, parents first.
  mutating func addCategories() {
    var seen: Set<String> = []
    var rows: [Row<DominosFile.Category>] = []
    if let root = file.trees[Self.foodTree] { add(root, under: nil, &seen, &rows) }
    notes.add(leftoversOf: rows, .category)
    notes.add(.noPlace(field: "Code", of: .category), count: rows.count)
    for (name, root) in file.trees.sorted(by: { $0.key < $1.key }) where name != Self.foodTree {
      notes.add(
        .noPlace(Noun("category of \(name)", many: "categories of \(name)")), count: size(root))
    }
    shelveTheRest()
  }

  private mutating func add(
    _ row: Row<DominosFile.Category>, under parentID: Int?, _ seen: inout Set<String>,
    _ rows: inout [Row<DominosFile.Category>]
  ) {
    rows.append(row)
    let id = categories.count + 1
    categories.append(Category(id: id, parentID: parentID, name: name(of: row)))
    for code in row.products ?? [] {
      if file.products[code] == nil {
        notes.add(.categoryOfUnknownProduct, named: code)
      } else if seen.insert(code).inserted {
        shelved.append((code, id))
      } else {
        notes.add(.furtherCategory, named: code)
      }
    }
    for child in row.categories ?? [] { add(child, under: id, &seen, &rows) }
  }

  private mutating func name(of row: Row<DominosFile.Category>) -> String {
    if let name = row.name, !name.isEmpty { return name }
    notes.add(.categoryWithoutName, named: row.code)
    return row.code
  }

  /// Products in no category get one of their own, sorted by code.
  private mutating func shelveTheRest() {
    let rest = Set(file.products.keys).subtracting(shelved.map(\.code)).sorted()
    guard !rest.isEmpty else { return }
    let id = categories.count + 1
    categories.append(Category(id: id, name: "Uncategorized"))
    for code in rest {
      shelved.append((code, id))
      notes.add(.productWithoutCategory, named: code)
    }
  }

  private func size(_ row: Row<DominosFile.Category>) -> Int {
    (row.categories ?? []).reduce(1) { $0 + size($1) }
  }
}
