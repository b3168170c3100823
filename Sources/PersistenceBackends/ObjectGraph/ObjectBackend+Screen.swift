import GRDB
import MenuModel

extension ObjectBackend: FirstScreenReading {
  /// The objects shown, by the menu's relations and a SELECT for the products of a category.
  public func firstScreen() throws -> FirstScreen {
    try transaction("read", .deferred) { session in
      let root = try session.root()
      let categories = try session.links(MenuCategories.self, of: [root]).map(\.target)
      let shelf = try session.shelf(categories, of: root)
      let combos = try session.links(MenuCombos.self, of: [root]).map(\.target)
        .prefix(FirstScreen.combos)
      var walk = GraphWalk(session)
      try walk.take(CategoryObject.self, categories)
      try walk.take(ProductObject.self, shelf)
      try walk.takeResolved(Array(combos))
      var graph = try walk.finish()
      return FirstScreen(
        categories: try walk.keys(of: CategoryObject.self, categories)
          .map { try graph.category($0) },
        products: try walk.keys(of: ProductObject.self, shelf).map { try graph.product($0) },
        combos: try walk.keys(of: ComboObject.self, Array(combos))
          .map { try graph.resolvedCombo($0) })
    }
  }
}

extension GraphWalk {
  /// Fetches combos with their slots, their lists' options, and the products that these name.
  mutating func takeResolved(_ combos: [Int]) throws {
    try take(ComboObject.self, combos)
    try take(OptionListObject.self, graph.slots.rows.compactMap { $0.object.sharedList?.number })
    try take(ProductObject.self, graph.slotOptions.rows.map(\.object.product.number))
  }
}

extension ObjectSession {
  /// The keys of the products of the first category that has any, in the menu's order.
  fileprivate func shelf(_ categories: [Int], of root: Int) throws -> [Int] {
    let products = try links(MenuProducts.self, of: [root]).map(\.target)
    for category in categories {
      let query = try query(.other("shelf")) {
        "SELECT pk FROM \(ProductObject.entity) WHERE category = ?"
      }
      let found = Set(
        try query.rows {
          $0.put(category)
        } _: {
          $0.int()
        })
      let shelf = products.filter(found.contains)
      if !shelf.isEmpty { return shelf }
    }
    return []
  }
}
