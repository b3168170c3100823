import MenuModel
import PersistenceBackends

/// Two patches that undo each other, what readers must find after each, and patches to refuse.
public struct PatchPlan: Sendable {
  /// The products that change, each once.
  let ids: [Int]
  /// There, and back to the menu that was stored.
  let steps: [Step]
  /// Patches whose last price, or last availability, is of what the menu does not have.
  let impossible: [MenuPatch]

  /// One patch and what comes of it.
  struct Step: Sendable {
    let patch: MenuPatch
    /// The whole menu's fingerprint afterwards.
    let fingerprint: Checksum
    /// The checksums of the products that change, in the order of their ids.
    let checksums: [Checksum]
  }

  /// Draws what changes from the menu's products, whose availability changes, and its variants, whose
  /// price does: each at most once, so that every change is one.
  ///
  /// - Throws: ``WorkloadFailure`` where the menu has fewer of them than `changes`.
  init(changes: Int, of menu: Menu) throws {
    var targets = Target.all(of: menu)
    guard !targets.isEmpty else { throw WorkloadFailure("the menu has nothing to change") }
    guard changes <= targets.count else {
      throw WorkloadFailure(
        "\(changes) changes are asked for, but the menu has \(targets.count) things to change: "
          + "take a larger menu or patch:changes=\(targets.count)")
    }
    var random = SplitMix64(seed: 2026)
    for place in 0..<changes {
      targets.swapAt(place, place + random.below(targets.count - place))
    }
    let chosen = targets.prefix(changes)
    var seen: Set<Int> = []
    ids = chosen.map(\.productID).filter { seen.insert($0).inserted }
    let there = MenuPatch(chosen, { $0.changed }, revision: menu.nextRevision().revision)
    let back = MenuPatch(chosen, { $0.value }, revision: menu.revision)
    impossible = there.impossible(for: menu)
    var patched = menu
    try patched.apply(there)
    steps = [
      try Step(patch: there, patched, ids), try Step(patch: back, menu, ids),
    ]
  }
}

extension PatchPlan.Step {
  fileprivate init(patch: MenuPatch, _ menu: Menu, _ ids: [Int]) throws {
    self.patch = patch
    fingerprint = menu.fingerprint
    let found = try menu.checksums(of: ids)
    checksums = found.compactMap { $0 }
    guard checksums.count == ids.count else {
      throw WorkloadFailure("the menu has lost a product to change")
    }
  }

  /// Throws ``WorkloadFailure`` unless a reader found every product as the patch made it.
  func check(_ found: [Checksum?], of ids: [Int]) throws {
    for (id, (found, expected)) in zip(ids, zip(found, checksums)) where found != expected {
      let fault = found == nil ? "is gone" : "is not what the patch makes of it"
      throw WorkloadFailure("product \(id) \(fault), as another reader sees it")
    }
  }
}

/// One thing that a patch can change.
private struct Target {
  let productID: Int
  let value: Value

  enum Value {
    case availability(Product.Availability)
    case price(variantID: Int, Int)
  }

  static func all(of menu: Menu) -> [Target] {
    menu.products.flatMap { product in
      [Target(productID: product.id, value: .availability(product.availability))]
        + product.variants.map {
          Target(productID: product.id, value: .price(variantID: $0.id, $0.price))
        }
    }
  }

  /// Another value that takes as many bytes, most often.
  var changed: Value {
    switch value {
    case .availability(let old): .availability(old == .available ? .comboOnly : .available)
    case .price(let variantID, let price): .price(variantID: variantID, price ^ 1)
    }
  }
}

extension MenuPatch {
  fileprivate init(
    _ targets: ArraySlice<Target>, _ value: (Target) -> Target.Value, revision: Int
  ) {
    self.init(revision: revision)
    for target in targets {
      switch value(target) {
      case .availability(let availability):
        self.availability.append(
          AvailabilityChange(productID: target.productID, availability: availability))
      case .price(let variantID, let price):
        prices.append(PriceChange(variantID: variantID, price: price))
      }
    }
  }
}

extension MenuPatch {
  /// The patch with one more target that a menu does not have: once a variant, once a product.
  fileprivate func impossible(for menu: Menu) -> [MenuPatch] {
    var (prices, availability) = (self, self)
    prices.prices.append(
      PriceChange(
        variantID: Set(menu.products.flatMap { $0.variants.map(\.id) }).lowestFree, price: 1))
    availability.availability.append(
      AvailabilityChange(
        productID: Set(menu.products.map(\.id)).lowestFree, availability: .hidden))
    return [prices, availability]
  }
}

extension Menu {
  /// The checksum of each product of the ids; nil where there is none. Cost: one pass.
  func checksums(of ids: [Int]) throws -> [Checksum?] {
    let wanted = Set(ids)
    var found: [Int: Checksum] = [:]
    for product in products where wanted.contains(product.id) && found[product.id] == nil {
      var checksum = Checksum()
      product.visit(&checksum)
      found[product.id] = checksum
    }
    return ids.map { found[$0] }
  }
}
