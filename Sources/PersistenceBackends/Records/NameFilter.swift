import GRDB
import MenuModel

/// The SQL function by which requests find names: what `NameSearch` means by a piece of a name,
/// which SQLite's own LIKE does not know.
enum NameFilter {
  /// `nameContains(name, key)`: whether a stored name's key holds another key.
  static let function = DatabaseFunction("nameContains", argumentCount: 2, pure: true) { values in
    guard
      let name = String.fromDatabaseValue(values[0]),
      let wanted = String.fromDatabaseValue(values[1])
    else { return nil }
    let key = NameSearch.key(try name.restored())
    return NameSearch.contains(Array(key.utf8), Array(try wanted.restored().utf8))
  }
}

extension DerivableRequest<ProductRecord> {
  /// Products whose names contain a query.
  func filter(named query: String) -> Self {
    let wanted = NameSearch.key(query).stored
    return filter { NameFilter.function($0.name, wanted) }
  }
}

/// A product's id and name.
struct ProductName: Decodable, FetchableRecord {
  var id: Int
  var name: String

  /// Products whose names contain a query.
  static func request(named query: String) -> QueryInterfaceRequest<ProductName> {
    ProductRecord.all().filter(named: query).select { [$0.id, $0.name] }
      .asRequest(of: ProductName.self)
  }
}
