import MenuModel

/// A backend that finds products by a piece of their name without reading the rest into the program.
public protocol NameSearching: Backend where Document == Menu {
  /// The ids that ``NameSearch/products(of:named:)`` finds in the stored menu, in its order.
  func products(named query: String) throws -> [Int]
}
