import MenuModel

extension FlatBackend: ProductReading {
  /// The product's record, in place.
  public func product(_ id: Int) throws -> FlatProductView? {
    let source = try source()
    let record = try source.read { reader in
      try reader.find(id, in: reader.image.productIndex).map { try reader.product($0, id: id) }
    }
    return record.map { FlatProductView(source: source, record: $0) }
  }
}

extension FlatBackend: ComboReading {
  /// The combo's record, in place; its slots, options and products are looked up by who visits it.
  public func combo(_ id: Int) throws -> FlatComboView? {
    let source = try source()
    let record = try source.read { reader in
      try reader.find(id, in: reader.image.comboIndex).map { try reader.combo($0, id: id) }
    }
    return record.map { FlatComboView(source: source, record: $0) }
  }
}

extension FlatBackend: FirstScreenReading {
  /// Nothing yet: categories, products and combos are looked up in place by who visits it.
  public func firstScreen() throws -> FlatScreenView { FlatScreenView(source: try source()) }
}

extension FlatBackend: NameSearching {
  /// Compares the names in place, one after the other: there is no index of names.
  public func products(named query: String) throws -> [Int] {
    try source().read { try $0.products(named: query) }
  }
}

extension FlatBackend: MenuPatching {
  /// Overwrites the fields in a copy of the file's bytes and writes that: no menu is built.
  public func apply(_ patch: MenuPatch) throws {
    let source = try source()
    let copy = UnsafeMutableRawBufferPointer.allocate(
      byteCount: source.image.bytes.count, alignment: 16)
    defer { copy.deallocate() }
    copy.copyMemory(from: source.image.bytes)
    meter.bytes += copy.count
    try readingFlat("patch", file.path) { try FlatPatch(patch).apply(to: copy) }
    try file.write(UnsafeRawBufferPointer(copy))
  }
}

extension FlatBackend: ConcurrentReading {
  /// At `none` the file is written in place, and who comes meanwhile is refused.
  public var readsBesideWriter: Bool { store.durability != .none }

  /// Another handle with a mapping of its own.
  public func openReader() throws -> any Backend<Menu> { FlatBackend(store) }
}
