import MenuModel
import PersistenceBackends
import Testing

/// Laws for every backend of menus. A violation is reported at the caller.
struct BackendLaws {
  let entry: BackendEntry<Menu>
  let durability: Durability

  /// A menu is read back as it was written: equal, bit by bit.
  func checkRoundTrip(_ menu: Menu, at location: SourceLocation = #_sourceLocation) throws {
    try withStore { store in
      let backend = try entry.open(store)
      try replace(menu, in: backend)
      try check(try restored(from: backend), is: menu, location)
      try check(try restored(from: backend), is: menu, location)
      try backend.dropCaches()
      try check(try restored(from: backend), is: menu, location)
      try backend.close()
    }
  }

  /// The menu that is read back from a reopened store.
  func kept(_ menu: Menu) throws -> Menu {
    try withStore { store in
      let writing = try entry.open(store)
      defer { try? writing.close() }
      try replace(menu, in: writing)
      guard entry.survivesRestart else { return try restored(from: writing) }
      let reading = try entry.open(store)
      defer { try? reading.close() }
      return try restored(from: reading)
    }
  }

  /// Nothing of an older menu is left.
  func checkReplacement(
    of old: Menu, by new: Menu, at location: SourceLocation = #_sourceLocation
  ) throws {
    try withStore { store in
      let backend = try entry.open(store)
      try replace(old, in: backend)
      try replace(new, in: backend)
      try check(try restored(from: backend), is: new, location)
      try backend.close()
    }
  }

  /// Before anything was written, reading says so.
  func checkEmptyStore(at location: SourceLocation = #_sourceLocation) throws {
    try withStore { store in
      let backend = try entry.open(store)
      #expect(throws: StoreError.self, sourceLocation: location) { try backend.read() }
      try backend.close()
    }
  }

  /// A payload's size is a number above 0, or has the reason why there is none. Files of the
  /// store's folder have everything that survives a restart, and nothing else.
  func checkSizes(_ menu: Menu, at location: SourceLocation = #_sourceLocation) throws {
    try withStore { store in
      let backend = try entry.open(store)
      check(try payloadSize(of: menu, in: backend), location)
      try replace(menu, in: backend)
      #expect(try (store.bytes() > 0) == entry.survivesRestart, sourceLocation: location)
      try backend.close()
    }
  }

  /// A payload comes back from the store as it went in.
  func checkPayload(_ menu: Menu, at location: SourceLocation = #_sourceLocation) throws {
    try withStore { store in
      let backend = try entry.open(store)
      try checkPayload(menu, in: backend, location)
    }
  }

  /// The next backend that is opened in the folder reads what one wrote.
  func checkReopening(_ menu: Menu, at location: SourceLocation = #_sourceLocation) throws {
    try withStore { store in
      let first = try entry.open(store)
      try replace(menu, in: first)
      try first.close()
      let second = try entry.open(store)
      try check(try restored(from: second), is: menu, location)
      try second.close()
    }
  }

  private func withStore<Result>(_ body: (StoreContext) throws -> Result) throws -> Result {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) { try body(folder.store(durability)) }
  }

  private func check(_ found: Menu, is menu: Menu, _ location: SourceLocation) throws {
    #expect(found == menu, sourceLocation: location)
    #expect(found.fingerprint == menu.fingerprint, sourceLocation: location)
  }

  private func check(_ size: Size, _ location: SourceLocation) {
    switch size {
    case .bytes(let count): #expect(count > 0, sourceLocation: location)
    case .unsupported(let reason): #expect(!reason.isEmpty, sourceLocation: location)
    }
  }

  private func checkPayload(
    _ menu: Menu, in backend: some Backend<Menu>, _ location: SourceLocation
  ) throws {
    let written = try backend.encode(menu)
    try backend.write(written)
    let read = try backend.read()
    let expected = try #require(written as? AnyHashable, sourceLocation: location)
    let found = try #require(read as? AnyHashable, sourceLocation: location)
    #expect(found == expected, sourceLocation: location)
    #expect(backend.size(of: read) == backend.size(of: written), sourceLocation: location)
    try backend.close()
  }
}

func replace(_ menu: Menu, in backend: some Backend<Menu>) throws {
  try backend.write(try backend.encode(menu))
}

func restored(from backend: some Backend<Menu>) throws -> Menu {
  try backend.decode(try backend.read())
}

private func payloadSize(of menu: Menu, in backend: some Backend<Menu>) throws -> Size {
  backend.size(of: try backend.encode(menu))
}
