import MenuModel

extension FlatReader {
  /// Feeds what an app shows first to a checksum as `FirstScreen` does: there is no index of shelves,
  /// so every product's record is looked at.
  mutating func addFirstScreen(to checksum: inout Checksum) throws {
    let categories = try first(.max, of: image.categories)
    checksum.add(categories.count)
    for index in 0..<categories.count { try add(categories[index], to: &checksum) }
    let menu = try record(0, of: image.menus)
    let products = try run(FlatRange(count: menu.products), of: image.products)
    let shown = Self.shelf(categories, products)
    checksum.add(shown.count)
    for index in shown { try add(products[index], to: &checksum) }
    let combos = try first(FirstScreen.combos, of: image.combos)
    checksum.add(combos.count)
    for index in 0..<combos.count { try add(combos[index], to: &checksum) }
  }

  private mutating func add(_ category: FlatCategory, to checksum: inout Checksum) throws {
    checksum.add(category.id)
    checksum.add(category.parentID)
    try add(category.name, to: &checksum)
  }

  /// The first records of a section, as many as there are.
  private mutating func first<Record>(
    _ count: Int, of section: FlatSection<Record>
  ) throws -> FlatRun<Record> {
    try run(FlatRange(count: UInt32(Swift.min(count, section.count))), of: section)
  }

  /// The indices of the products of the first category that has any.
  private static func shelf(
    _ categories: FlatRun<FlatCategory>, _ products: FlatRun<FlatProduct>
  ) -> [Int] {
    let shelves = (0..<products.count).map { products[$0].categoryID }
    let filled = Set(shelves)
    let first = (0..<categories.count).lazy.map { categories[$0].id }.first(where: filled.contains)
    return shelves.indices.filter { shelves[$0] == first }
  }
}
