import MenuModel

/// The keys of a menu's product names, made and sorted once: a search walks over them.
final class ProductNames: Sendable {
  private let names: [(id: Int, key: [UInt8])]

  init(_ menu: Menu) {
    names = menu.products.map { (id: $0.id, key: NameSearch.key($0.name)) }
      .sorted { NameSearch.precedes($0, $1) }
      .map { ($0.id, Array($0.key.utf8)) }
  }

  func products(named query: String) -> [Int] {
    let wanted = Array(NameSearch.key(query).utf8)
    return names.filter { NameSearch.contains($0.key, wanted) }.map(\.id)
  }
}
