import MenuModel

/// How an operation on a part of a menu is done.
public enum Route: String, Codable, Sendable {
  /// By what the backend offers for it.
  case native
  /// By reading, decoding and, for a change, encoding and writing the whole menu.
  case wholeMenu = "whole menu"
  /// On the one handle that there is, readers and writer one after the other.
  case inTurns = "in turns"
  /// What another version of the program stored is read as it is.
  case asItIs = "read as it is"
  /// What another version of the program stored is discarded, and the menu fetched anew.
  case fetchedAnew = "fetched anew"
}

/// Operations on parts of a stored menu: by the backend's own route where it has one, else by way of
/// the whole menu.
package struct MenuAccess<B: Backend> where B.Document == Menu {
  private let backend: B
  private let products: (any ProductReading)?
  private let combos: (any ComboReading)?
  private let patches: (any MenuPatching)?
  private let names: (any NameSearching)?
  private let screens: (any FirstScreenReading)?

  /// Looks up the routes, once.
  package init(_ backend: B) {
    self.backend = backend
    products = backend as? any ProductReading
    combos = backend as? any ComboReading
    patches = backend as? any MenuPatching
    names = backend as? any NameSearching
    screens = backend as? any FirstScreenReading
  }

  /// How ``product(_:into:)`` is done.
  package var productRoute: Route { products == nil ? .wholeMenu : .native }
  /// How ``combo(_:into:)`` is done.
  package var comboRoute: Route { combos == nil ? .wholeMenu : .native }
  /// How ``apply(_:)`` is done.
  package var patchRoute: Route { patches == nil ? .wholeMenu : .native }
  /// How ``products(named:)`` is done.
  package var searchRoute: Route { names == nil ? .wholeMenu : .native }
  /// How ``firstScreen(into:)`` is done.
  package var firstScreenRoute: Route { screens == nil ? .wholeMenu : .native }

  /// Finds a product and feeds all of it to a checksum; whether there is one.
  package func product(_ id: Int, into checksum: inout Checksum) throws -> Bool {
    if let products { return try Self.product(id, of: products, &checksum) }
    return try Self.visit(menu().product(id), &checksum)
  }

  /// Finds a product and feeds its name to a checksum; whether there is one.
  package func nameOfProduct(_ id: Int, into checksum: inout Checksum) throws -> Bool {
    if let products { return try Self.nameOfProduct(id, of: products, &checksum) }
    return try Self.visitName(menu().product(id), &checksum)
  }

  /// Resolves a combo and feeds all of it to a checksum; whether there is one.
  package func combo(_ id: Int, into checksum: inout Checksum) throws -> Bool {
    if let combos { return try Self.combo(id, of: combos, &checksum) }
    return try Self.visit(menu().resolvedCombo(id), &checksum)
  }

  /// Reads what an app shows first and feeds all of it to a checksum.
  package func firstScreen(into checksum: inout Checksum) throws {
    if let screens { return try Self.firstScreen(of: screens, &checksum) }
    try menu().firstScreen().visit(&checksum)
  }

  /// Changes the stored menu.
  ///
  /// - Throws: `UnknownPatchTarget` where the patch names what is not there; ``StoreError``.
  package func apply(_ patch: MenuPatch) throws {
    if let patches { return try patches.apply(patch) }
    var menu = try menu()
    try menu.apply(patch)
    try backend.write(backend.encode(menu))
  }

  /// The ids of products by a piece of their name.
  package func products(named query: String) throws -> [Int] {
    if let names { return try names.products(named: query) }
    return NameSearch.products(of: try menu(), named: query)
  }

  private func menu() throws -> Menu { try backend.decode(backend.read()) }

  private static func product(
    _ id: Int, of reader: some ProductReading, _ checksum: inout Checksum
  ) throws -> Bool { try visit(reader.product(id), &checksum) }

  private static func nameOfProduct(
    _ id: Int, of reader: some ProductReading, _ checksum: inout Checksum
  ) throws -> Bool { try visitName(reader.product(id), &checksum) }

  private static func combo(
    _ id: Int, of reader: some ComboReading, _ checksum: inout Checksum
  ) throws -> Bool { try visit(reader.combo(id), &checksum) }

  private static func firstScreen(
    of reader: some FirstScreenReading, _ checksum: inout Checksum
  ) throws { try reader.firstScreen().visit(&checksum) }

  private static func visit(_ part: (some MenuPart)?, _ checksum: inout Checksum) throws -> Bool {
    guard let part else { return false }
    try part.visit(&checksum)
    return true
  }

  private static func visitName(
    _ part: (some NamedPart)?, _ checksum: inout Checksum
  ) throws -> Bool {
    guard let part else { return false }
    try part.visitName(&checksum)
    return true
  }
}
