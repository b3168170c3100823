import MenuModel

/// How an operation on a part of a menu is done.
public enum Route: String, Codable, Sendable {
  /// By what the backend offers for it.
  case native
  /// By reading, decoding and, for a change, encoding and writing the whole menu.
  case wholeMenu = "whole menu"
  /// From the document that the process holds: no store is touched.
  case held = "what is held"
  /// On the one handle that there is, readers and writer one after the other.
  case inTurns = "in turns"
  /// What another version of the program stored is read as it is.
  case asItIs = "read as it is"
  /// What another version of the program stored is discarded, and the menu fetched anew.
  case fetchedAnew = "fetched anew"
}

/// Operations on parts of a stored menu: by the backend's own route where it has one, else by way of
/// the whole menu. Either way what comes of it is a value of its own.
package struct MenuAccess<B: Backend> where B.Document == Menu {
  private let backend: B
  private let products: (any ProductReading)?
  private let combos: (any ComboReading)?
  private let patches: (any MenuPatching)?
  private let names: (any NameSearching)?
  private let filters: (any ProductFiltering)?
  private let screens: (any FirstScreenReading)?

  package init(_ backend: B) {
    self.backend = backend
    products = backend as? any ProductReading
    combos = backend as? any ComboReading
    patches = backend as? any MenuPatching
    names = backend as? any NameSearching
    filters = backend as? any ProductFiltering
    screens = backend as? any FirstScreenReading
  }

  // How each of the operations is done.
  package var productRoute: Route { products == nil ? .wholeMenu : .native }
  package var comboRoute: Route { combos == nil ? .wholeMenu : .native }
  package var patchRoute: Route { patches == nil ? .wholeMenu : .native }
  package var searchRoute: Route { names == nil ? .wholeMenu : .native }
  package var filterRoute: Route { filters == nil ? .wholeMenu : .native }
  package var firstScreenRoute: Route { screens == nil ? .wholeMenu : .native }

  /// A route to a part as a report names it: by what a process holds there is none to the store where the
  /// document is held, and in a fresh process the whole of it is read first.
  package func named(_ route: Route, isCold: Bool = false) -> Route {
    guard route == .native, backend is any DocumentHolding else { return route }
    return isCold ? .wholeMenu : .held
  }

  package func product(_ id: Int) throws -> Product? {
    if let products { return try products.product(id) }
    return try menu().product(id)
  }

  package func combo(_ id: Int) throws -> ResolvedCombo? {
    if let combos { return try combos.combo(id) }
    return try menu().resolvedCombo(id)
  }

  package func firstScreen() throws -> FirstScreen {
    if let screens { return try screens.firstScreen() }
    return try menu().firstScreen()
  }

  /// Throws `UnknownPatchTarget` where the patch names what is not there.
  package func apply(_ patch: MenuPatch) throws {
    if let patches { return try patches.apply(patch) }
    var menu = try menu()
    try menu.apply(patch)
    try backend.write(backend.encode(menu))
  }

  package func products(named query: String) throws -> [Int] {
    if let names { return try names.products(named: query) }
    return NameSearch.products(of: try menu(), named: query)
  }

  package func products(passing filter: ProductFilter) throws -> [Int] {
    if let filters { return try filters.products(passing: filter) }
    return filter.products(of: try menu())
  }

  private func menu() throws -> Menu { try backend.decode(backend.read()) }
}
