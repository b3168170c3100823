import Dispatch
import Foundation
import MenuModel
import PersistenceBackends
import Testing

/// Laws for a backend's routes to parts of a menu, its own and those through the whole menu.
struct NativeLaws {
  let entry: BackendEntry<Menu>
  let durability: Durability

  /// A promise is kept by a route of its own, and a route of its own is promised.
  func checkPromises(at location: SourceLocation = #_sourceLocation) throws {
    try withBackend(Fixtures.full) { backend in
      // At `none` a promise of readers may be off: files are then rewritten in place.
      if durability != .none {
        #expect(
          (backend.concurrent != nil) == entry.promises.contains(.concurrentReader),
          sourceLocation: location)
      }
      for promise in BackendPromise.allCases {
        let isKept =
          switch promise {
          // By hand: CrashTests tries them.
          case .atomic, .durable: entry.promises.contains(promise)
          case .partialRead: backend is any ProductReading && backend is any ComboReading
          case .query: backend is any NameSearching && backend is any ProductFiltering
          case .concurrentReader: backend is any ConcurrentReading
          case .schemaChange: backend.crosses(SchemaChange.allCases.filter { $0 != .back })
          }
        #expect(
          entry.promises.contains(promise) == isKept, "\(promise.rawValue)",
          sourceLocation: location)
      }
    }
  }

  /// Every product and combo is found with the stored content, and no other is found.
  func checkParts(_ menu: Menu, at location: SourceLocation = #_sourceLocation) throws {
    try withBackend(menu) { backend in try checkParts(menu, in: backend, location) }
  }

  /// An app's first screen has the stored content.
  func checkFirstScreen(_ menu: Menu, at location: SourceLocation = #_sourceLocation) throws {
    try withBackend(menu) { backend in try checkFirstScreen(menu, in: backend, location) }
  }

  /// An empty store has no part, not even an empty one.
  func checkNoParts(at location: SourceLocation = #_sourceLocation) throws {
    let folder = try TemporaryFolder()
    try withExtendedLifetime(folder) {
      let backend = try entry.open(folder.store(durability))
      checkNoParts(in: backend, location)
      try backend.close()
    }
  }

  /// A product has the same number of useful bytes on every backend.
  func checkUsefulBytes(
    _ menu: Menu, _ expected: Int, at location: SourceLocation = #_sourceLocation
  ) throws {
    try withBackend(menu) { backend in
      let product = try product(menu.products[0].id, in: backend)
      #expect(checksum(product)?.bytes == expected, sourceLocation: location)
    }
  }

  /// A patch makes the changes of the reference, and a patch for a missing thing changes nothing.
  func checkPatch(_ menu: Menu, at location: SourceLocation = #_sourceLocation) throws {
    try withBackend(menu) { backend in
      try checkUnknown(checkTaken(menu, in: backend, location), in: backend, location)
    }
  }

  /// A patch that names, after what the menu has, what it has not, changes nothing.
  func checkUnknown(
    _ target: UnknownPatchTarget, _ patch: MenuPatch, _ menu: Menu,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try withBackend(menu) { backend in try checkUnknown(target, patch, menu, in: backend, location)
    }
  }

  private func checkUnknown(
    _ target: UnknownPatchTarget, _ patch: MenuPatch, _ menu: Menu, in backend: some Backend<Menu>,
    _ location: SourceLocation
  ) throws {
    guard let patching = backend as? any MenuPatching else { return }
    #expect(throws: target, sourceLocation: location) { try patching.apply(patch) }
    #expect(try restored(from: backend).fingerprint == menu.fingerprint, sourceLocation: location)
  }

  /// Names are found as the reference finds them, in its order.
  func checkSearch(_ menu: Menu, at location: SourceLocation = #_sourceLocation) throws {
    try withBackend(menu) { backend in
      for query in queries(menu) {
        let found = try found(query, in: backend)
        #expect(
          found == NameSearch.products(of: menu, named: query), "\(query.debugDescription)",
          sourceLocation: location)
      }
    }
  }

  /// Products are filtered and sorted as the reference does it.
  func checkFilter(_ menu: Menu, at location: SourceLocation = #_sourceLocation) throws {
    try withBackend(menu) { try checkFilter(menu, in: $0, location) }
  }

  private func checkFilter(
    _ menu: Menu, in backend: some Backend<Menu>, _ location: SourceLocation
  ) throws {
    let prices = menu.products.flatMap(\.variants).map(\.price).sorted()
    let limits = [Int.min, -1, 0, .max] + (prices.isEmpty ? [] : [prices[prices.count / 2]])
    for category in Set(menu.categories.map(\.id) + menu.products.map(\.categoryID) + [-7]) {
      for limit in limits {
        let filter = ProductFilter(categoryID: category, priceUpTo: limit)
        #expect(
          try MenuAccess(backend).products(passing: filter) == filter.products(of: menu),
          "\(filter)", sourceLocation: location)
      }
    }
  }

  /// A second handle sees the old menu, then the new one, and goes on after either is closed.
  func checkReader(
    _ old: Menu, then new: Menu, at location: SourceLocation = #_sourceLocation
  ) throws {
    try withBackend(old) { backend in
      guard let reading = backend as? any ConcurrentReading else { return }
      try checkReader(of: reading, backend, old, new, location)
    }
  }

  /// A second handle that reads while the first replaces the menu sees whole menus only, and the last
  /// one in the end.
  func checkReaderBeside(
    _ old: Menu, _ new: Menu, at location: SourceLocation = #_sourceLocation
  ) throws {
    try withBackend(old) { backend in
      guard let reading = backend.concurrent else { return }
      guard let opened = try reading.openReader() as? any Backend<Menu> else {
        Issue.record("the reader reads no menus", sourceLocation: location)
        return
      }
      let reader = Beside(opened)
      let thread = Thread { reader.read(times: 20) }
      thread.stackSize = 8 << 20
      thread.start()
      for turn in 1...20 { try replace([old, new][turn % 2], in: backend) }
      let seen = try reader.seen()
      #expect(seen.count == 20, sourceLocation: location)
      #expect(
        Set(seen).subtracting([old.fingerprint, new.fingerprint]) == [], sourceLocation: location)
      #expect(try reader.now() == old.fingerprint, sourceLocation: location)
      try reader.close()
    }
  }

  /// A store of another version's program gives the menu across the change, whole and in parts, at
  /// every start, and accepts patches and the next menu. Or it is refused like a newer one.
  func checkChange(
    _ change: SchemaChange, _ menu: Menu, at location: SourceLocation = #_sourceLocation
  ) throws {
    let folder = try TemporaryFolder()
    let store = folder.store(durability)
    guard let other = try entry.open(store) as? any SchemaChanging else { return }
    let route = other.route(across: change)
    try other.save(menu, across: change)
    try other.close()
    guard route != .refetched else { return checkRefusal(store, location) }
    let expected = menu.across(change)
    for _ in 1...2 {
      let backend = try entry.open(store)
      try checkNativeParts(expected, in: backend, location)
      let read = try restored(from: backend)
      #expect(read == expected, sourceLocation: location)
      #expect(read.fingerprint == expected.fingerprint, sourceLocation: location)
      try backend.close()
    }
    let backend = try entry.open(store)
    _ = try checkTaken(expected, in: backend, location)
    try replace(menu.revised(1), in: backend)
    try backend.close()
    let next = try entry.open(store)
    #expect(
      try restored(from: next).fingerprint == menu.revised(1).fingerprint, sourceLocation: location)
    try next.close()
  }

  /// The parts that a backend reads by its own routes, without the whole menu.
  private func checkNativeParts(
    _ menu: Menu, in backend: some Backend<Menu>, _ location: SourceLocation
  ) throws {
    if backend is any ProductReading { try checkParts(menu, in: backend, location) }
    if backend is any FirstScreenReading { try checkFirstScreen(menu, in: backend, location) }
    if backend is any ProductFiltering { try checkFilter(menu, in: backend, location) }
    guard backend is any NameSearching else { return }
    for query in queries(menu) {
      #expect(
        try found(query, in: backend) == NameSearch.products(of: menu, named: query),
        "\(query.debugDescription)", sourceLocation: location)
    }
  }

  /// A newer program's store is refused as such, every time.
  private func checkRefusal(_ store: StoreContext, _ location: SourceLocation) {
    for _ in 1...2 {
      let error = #expect(throws: StoreError.self, sourceLocation: location) {
        let backend = try entry.open(store)
        return try restored(from: backend)
      }
      #expect(
        error?.reason.contains("newer") == true, "\(error?.reason ?? "")",
        sourceLocation: location)
    }
  }

  /// A store that was compacted holds the same menu in no more bytes, opened again too, and goes on.
  func checkCompaction(_ menu: Menu, at location: SourceLocation = #_sourceLocation) throws {
    let folder = try TemporaryFolder()
    let backend = try entry.open(folder.store(durability))
    guard let compacting = backend as? any Compacting else { return try backend.close() }
    for revision in 0..<5 {
      try replace(revision % 2 == 0 ? menu : menu.revised(1), in: backend)
    }
    let before = try folder.bytes()
    try compacting.compact()
    let after = try folder.bytes()
    #expect(after <= before, sourceLocation: location)
    #expect(
      try restored(from: backend).fingerprint == menu.fingerprint, sourceLocation: location)
    try compacting.compact()
    try replace(menu.revised(1), in: backend)
    try backend.close()
    let reopened = try entry.open(folder.store(durability))
    #expect(
      try restored(from: reopened).fingerprint == menu.revised(1).fingerprint,
      sourceLocation: location)
    try reopened.close()
  }

  private func withBackend(
    _ menu: Menu, _ body: (any Backend<Menu>) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    try withExtendedLifetime(folder) {
      let backend = try entry.open(folder.store(durability))
      try replace(menu, in: backend)
      try body(backend)
      try backend.close()
    }
  }

  private func checkParts(
    _ menu: Menu, in backend: some Backend<Menu>, _ location: SourceLocation
  ) throws {
    let access = MenuAccess(backend)
    for id in Set(menu.products.map(\.id)).sorted() + [-7] {
      try backend.dropCaches()
      let found = try access.product(id)
      #expect(found == menu.product(id), "product \(id)", sourceLocation: location)
      #expect(
        checksum(found) == checksum(menu.product(id)), "product \(id)", sourceLocation: location)
    }
    for id in Set(menu.combos.map(\.id)).sorted() + [-7] {
      try backend.dropCaches()
      let found = try access.combo(id)
      #expect(found == menu.resolvedCombo(id), "combo \(id)", sourceLocation: location)
      #expect(
        checksum(found) == checksum(menu.resolvedCombo(id)), "combo \(id)",
        sourceLocation: location)
    }
  }

  private func product(_ id: Int, in backend: some Backend<Menu>) throws -> Product? {
    try MenuAccess(backend).product(id)
  }

  private func checkFirstScreen(
    _ menu: Menu, in backend: some Backend<Menu>, _ location: SourceLocation
  ) throws {
    try backend.dropCaches()
    let found = try MenuAccess(backend).firstScreen()
    #expect(found == menu.firstScreen(), sourceLocation: location)
    #expect(checksum(found) == checksum(menu.firstScreen()), sourceLocation: location)
  }

  private func checkNoParts(in backend: some Backend<Menu>, _ location: SourceLocation) {
    let access = MenuAccess(backend)
    let filter = ProductFilter(categoryID: 1, priceUpTo: 1)
    var readings: [(part: String, read: () throws -> Void)] = [
      ("first screen", { _ = try access.firstScreen() }),
      ("product", { _ = try access.product(1) }),
      ("combo", { _ = try access.combo(1) }),
      ("search", { _ = try access.products(named: "") }),
      ("filter", { _ = try access.products(passing: filter) }),
    ]
    if let patching = backend as? any MenuPatching {
      readings.append(("patch", { try patching.apply(MenuPatch(revision: 1)) }))
    }
    for (part, read) in readings {
      #expect(throws: StoreError.self, "\(part)", sourceLocation: location) { try read() }
    }
  }

  private func checksum(_ part: (some MenuPart)?) -> Checksum? {
    guard let part else { return nil }
    var checksum = Checksum()
    part.visit(&checksum)
    return checksum
  }

  /// Takes a patch of a menu, and returns the menu that it makes.
  private func checkTaken(
    _ menu: Menu, in backend: some Backend<Menu>, _ location: SourceLocation
  ) throws -> Menu {
    var expected = menu
    try expected.apply(patch(of: menu))
    try checkIndexed(menu, in: backend, location)
    try MenuAccess(backend).store(patch(of: menu), making: expected)
    #expect(
      try restored(from: backend).fingerprint == expected.fingerprint, sourceLocation: location)
    try checkIndexed(expected, in: backend, location)
    return expected
  }

  /// Refuses patches of ids that nothing has, and of those that something else has.
  private func checkUnknown(
    _ menu: Menu, in backend: some Backend<Menu>, _ location: SourceLocation
  ) throws {
    let variants = menu.products.flatMap(\.variants)
    for id in [-7]
      + menu.products.map(\.id).filter({ id in !variants.contains { $0.id == id } }).prefix(1)
    {
      var strange = patch(of: menu)
      strange.prices.append(.init(variantID: id, price: 1))
      let target = UnknownPatchTarget(entity: .variant, id: id)
      try checkUnknown(target, strange, menu, in: backend, location)
    }
    for id in [-7] + variants.map(\.id).filter({ menu.product($0) == nil }).prefix(1) {
      var strange = patch(of: menu)
      strange.availability.append(.init(productID: id, availability: .hidden))
      let target = UnknownPatchTarget(entity: .product, id: id)
      try checkUnknown(target, strange, menu, in: backend, location)
    }
    for entity in Entity.allCases {
      var strange = patch(of: menu)
      strange.stops = [.init(entity: entity, entityID: -7, isStopped: true)]
      let target = UnknownPatchTarget(entity: entity, id: -7)
      try checkUnknown(target, strange, menu, in: backend, location)
    }
    try backend.dropCaches()
    #expect(try restored(from: backend).fingerprint == menu.fingerprint, sourceLocation: location)
  }

  /// Changes the price of every third variant, and hides every second product.
  private func patch(of menu: Menu) -> MenuPatch {
    let variants = menu.products.flatMap(\.variants)
    return MenuPatch(
      revision: menu.revision &+ 10,
      prices: variants.indices.filter { $0 % 3 == 0 }.map {
        .init(variantID: variants[$0].id, price: variants[$0].price &+ 101)
      },
      availability: menu.products.indices.filter { $0 % 2 == 0 }.map {
        .init(productID: menu.products[$0].id, availability: .hidden)
      }, stops: stops(menu))
  }

  /// Values that may have indexes, which a patch makes out of date.
  private func checkIndexed(
    _ menu: Menu, in backend: some Backend<Menu>, _ location: SourceLocation
  ) throws {
    let access = MenuAccess(backend)
    if let id = menu.products.first?.id {
      #expect(try access.product(id) == menu.product(id), sourceLocation: location)
    }
    if let id = menu.combos.first?.id {
      #expect(try access.combo(id) == menu.resolvedCombo(id), sourceLocation: location)
    }
    let names = NameSearch.products(of: menu, named: "")
    #expect(try access.products(named: "") == names, sourceLocation: location)
  }

  /// Everything out of stock returns except the first, which gets another date. A thing of every
  /// kind goes out of stock, one of them twice.
  private func stops(_ menu: Menu) -> [MenuPatch.StopChange] {
    let things: [(Entity, Int?)] = [
      (.product, menu.products.last?.id), (.variant, menu.products.last?.variants.last?.id),
      (.ingredient, menu.ingredients.first?.id), (.category, menu.categories.first?.id),
      (.modifierGroup, menu.modifierGroups.first?.id), (.combo, menu.combos.last?.id),
      (.slot, menu.combos.flatMap(\.slots).last?.id), (.product, menu.products.last?.id),
    ]
    let back = menu.stopList.enumerated().map { place, entry in
      MenuPatch.StopChange(
        entity: entry.entity, entityID: entry.entityID, isStopped: place == 0,
        until: place == 0 ? "2027-01-01" : nil)
    }
    return back
      + things.enumerated().compactMap { place, thing in
        thing.1.map {
          MenuPatch.StopChange(
            entity: thing.0, entityID: $0, isStopped: true, until: place % 2 == 0 ? "\(place)" : nil
          )
        }
      }
  }

  private func found(_ query: String, in backend: some Backend<Menu>) throws -> [Int] {
    try MenuAccess(backend).products(named: query)
  }

  private func queries(_ menu: Menu) -> [String] {
    let names = menu.products.map(\.name)
    return [
      "", "пицца", "ПИЦЦА", "ё", "е", "й", "и", "и\u{306}", "pizza", "é", "E\u{301}", "e", "%", "_",
      "'", "\0", "\0b", "a\0b", "\0и", "\u{1B}", "0", "b", "ёж", "ЕЛКА", "нет такого",
    ]
      + names.prefix(names.count < 50 ? 50 : 5) + names.prefix(5).map { $0.uppercased() }
      + names.prefix(5).map { String($0.prefix(3)) }
  }

  private func checkReader(
    of reading: any ConcurrentReading, _ backend: some Backend<Menu>, _ old: Menu, _ new: Menu,
    _ location: SourceLocation
  ) throws {
    guard let reader = try reading.openReader() as? any Backend<Menu> else {
      Issue.record("the reader reads no menus", sourceLocation: location)
      return
    }
    #expect(try restored(from: reader).fingerprint == old.fingerprint, sourceLocation: location)
    try replace(new, in: backend)
    #expect(try restored(from: reader).fingerprint == new.fingerprint, sourceLocation: location)
    try reader.close()
    #expect(try restored(from: backend).fingerprint == new.fingerprint, sourceLocation: location)
  }
}

extension Backend {
  /// Whether stores are kept across each of the changes.
  func crosses(_ changes: [SchemaChange]) -> Bool {
    guard let changing = self as? any SchemaChanging else { return false }
    return changes.allSatisfy { changing.route(across: $0) != .refetched }
  }
}

/// A handle that is read on a thread of its own, and then by who waited for it.
private final class Beside: @unchecked Sendable {
  private let backend: any Backend<Menu>
  private let done = DispatchSemaphore(value: 0)
  private var outcome: Result<[Checksum], any Error> = .success([])

  init(_ backend: any Backend<Menu>) { self.backend = backend }

  func read(times: Int) {
    outcome = Result { try (0..<times).map { _ in try now() } }
    done.signal()
  }

  /// Waits for the reads, and returns their checksums.
  func seen() throws -> [Checksum] {
    done.wait()
    return try outcome.get()
  }

  func now() throws -> Checksum { try Self.fingerprint(backend) }

  func close() throws { try backend.close() }

  private static func fingerprint(_ backend: some Backend<Menu>) throws -> Checksum {
    try restored(from: backend).fingerprint
  }
}
