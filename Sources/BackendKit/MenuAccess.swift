import MenuModel

/// The way in which an operation on a part of a menu is done.
public enum Route: String, Codable, Sendable {
  /// By the backend's own method for it.
  case native
  /// By reading and decoding the whole menu. For a change, by encoding and writing the one that the
  /// app holds.
  case wholeMenu = "whole menu"
  /// From the document in the process's memory, without touching the store.
  case held = "what is held"
  /// On a single handle, which readers and the writer use in turn.
  case inTurns = "in turns"
  /// Another program version's data is read as it is.
  case asItIs = "read as it is"
  /// Another program version's data is discarded, and the menu is fetched again.
  case refetched = "fetched again"
}

/// Operations on parts of a stored menu, by the backend's own route or through the whole menu.
/// A part that is read is an independent value.
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

  package var productRoute: Route { products == nil ? .wholeMenu : .native }
  package var comboRoute: Route { combos == nil ? .wholeMenu : .native }
  package var patchRoute: Route { patches == nil ? .wholeMenu : .native }
  package var searchRoute: Route { names == nil ? .wholeMenu : .native }
  package var filterRoute: Route { filters == nil ? .wholeMenu : .native }
  package var firstScreenRoute: Route { screens == nil ? .wholeMenu : .native }

  /// Returns a route as a report names it. If the process holds the document, the backend's own
  /// route touches no store. In a fresh process it reads the whole menu first.
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

  /// Stores a patch that an app has applied to the menu it holds, which is now `menu`.
  ///
  /// Throws `UnknownPatchTarget` if a backend with its own route lacks something that the patch
  /// names.
  package func store(_ patch: MenuPatch, making menu: Menu) throws {
    if let patches { try patches.apply(patch) } else { try backend.put(menu) }
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
