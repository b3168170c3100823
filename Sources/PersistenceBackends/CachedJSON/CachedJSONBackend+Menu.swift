import MenuModel

extension CachedJSONBackend: ProductReading where Document == Menu {
  /// The product, by an index of the value in memory.
  public func product(_ id: Int) throws -> Product? { try lookup().product(id) }
}

extension CachedJSONBackend: ComboReading where Document == Menu {
  /// The combo, by an index of the value in memory.
  public func combo(_ id: Int) throws -> ResolvedCombo? { try lookup().combo(id) }

  private func lookup() throws -> MenuLookup { try store.value().index(MenuLookup.init) }
}

extension CachedJSONBackend: NameSearching where Document == Menu {
  /// The ids, by the names' keys, which are made once for the value in memory.
  public func products(named query: String) throws -> [Int] {
    try store.value().index(ProductNames.init).products(named: query)
  }
}

extension CachedJSONBackend: MenuPatching where Document == Menu {
  /// Changes the value in memory, then writes the whole file as ``write(_:)`` does.
  public func apply(_ patch: MenuPatch) throws { try store.change { try $0.apply(patch) } }
}
