import BackendKit
import BenchEngine
import BenchProbes
import MenuModel

/// `patch`: changes prices, availability and the stop list of a stored menu in one transaction,
/// which another reader then sees.
///
/// The app holds its menu and sees its own change. So only storing the change is ranked. A backend
/// without patches writes the changed menu whole.
///
/// Two patches alternate, there and back, so that each one changes everything it names and the menu
/// does not drift. Both are measured.
package struct PatchWorkload: Workload {
  package let name = "patch"
  package let summary =
    "changes of prices, availability and the stop list in one transaction, then seen by a reader"
  /// The transaction, with the share of a checkpoint that it causes if the store keeps a log. Then,
  /// not ranked, the time until another reader has used every changed product, and a whole
  /// checkpoint.
  package let phases: [Phase] = [.apply, .checkpointShare, .visible, .checkpoint]
  package let beginsStored = true
  /// Every iteration has two samples.
  package let leastSamples = 4
  /// If a power cut undoes a stop list, the app sells what is out of stock.
  package let ownDurability = Durability.durable

  /// The number of changes, each of a product's availability or stock, or of a variant's price.
  var changes = 10

  package static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter(
        "changes", \.changes, in: 1...100_000, standard: 10,
        "changes of availability, stock and prices in one transaction")
    ]
  }
  package static var variants: [String] { ["", "changes=100", "changes=1000"] }

  package init() {}

  /// Returns the two patches. A seed draws their changes, the same for every backend.
  package func plan(for menu: Menu) throws -> PatchPlan {
    try PatchPlan(changes: changes, of: menu)
  }

  /// Returns the backend's own route, or the whole menu. A checkpoint has only one route.
  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    switch phase {
    case .apply: MenuAccess(backend).patchRoute
    case .visible: MenuAccess(backend).productRoute
    default: nil
    }
  }

  /// Patches there and back. If the backend has its own readers, one was opened and used before.
  /// Otherwise the store is opened again for every patch, as part of `visible`. In warm-up, patches
  /// that can't be applied must change nothing.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: PatchPlan
  ) throws {
    let access = MenuAccess(site.backend)
    let reader = try readerBeforehand(site, plan)
    let log = try LogCycle(on: site) { _ in
      for step in plan.steps { try access.store(step.patch, making: step.menu) }
    }
    for step in plan.steps {
      try log?.begin()
      try site.measure(.apply) { try access.store(step.patch, making: step.menu) }
      log?.charge(.checkpointShare, on: site)
      let (seeing, found) = try site.measure(.visible) {
        let seeing = try reader ?? site.surroundings.open()
        return (seeing, try checksums(of: plan.ids, in: seeing))
      }
      try step.check(found, of: plan.ids)
      if site.isWarmUp { try check(step, seeing, site) }
      if reader == nil { try seeing.close() }
    }
    try log?.end()
    if site.isWarmUp { try refuse(plan, reader, site) }
    if let reader, reader !== site.backend { try reader.close() }
  }

  /// Returns a reader that was opened and used before. A store in memory has no reader but itself.
  private func readerBeforehand<B: Backend<Menu>, Clock: WallClock>(
    _ site: WorkSite<B, Clock>, _ plan: PatchPlan
  ) throws -> (any Backend<Menu>)? {
    guard site.surroundings.entry.survivesRestart else { return site.backend }
    guard let reading = site.backend as? any ConcurrentReading else { return nil }
    let reader = try reading.openMenuReader()
    _ = try checksums(of: Array(plan.ids.prefix(1)), in: reader)
    return reader
  }

  /// Reads products one by one by the reader's own route, or takes them from the whole menu.
  private func checksums<R: Backend<Menu>>(of ids: [Int], in reader: R) throws -> [Checksum?] {
    let access = MenuAccess(reader)
    guard access.productRoute == .native else {
      return try reader.whole().checksums(of: ids)
    }
    return try ids.map { try access.product($0).map { Checksum(of: $0.visit) } }
  }

  /// Checks that a patch with an unknown target is refused as a whole, and that the menu stays. A
  /// backend without patches gets none.
  private func refuse<B: Backend<Menu>, Clock: WallClock>(
    _ plan: PatchPlan, _ reader: (any Backend<Menu>)?, _ site: WorkSite<B, Clock>
  ) throws {
    guard let kept = plan.steps.last, let patching = site.backend as? any MenuPatching else {
      return
    }
    for patch in plan.impossible {
      do {
        try patching.apply(patch)
        throw WorkloadFailure("a patch with an unknown target is not refused")
      } catch is UnknownPatchTarget {}
      let seeing = try reader ?? site.surroundings.open()
      try check(kept, seeing, site, "a part of a patch that was refused")
      if reader == nil { try seeing.close() }
    }
  }

  /// Checks the whole menu, as the reader sees it and as the app's next start will.
  private func check<B: Backend<Menu>, Clock: WallClock>(
    _ step: PatchPlan.Step, _ reader: any Backend<Menu>, _ site: WorkSite<B, Clock>,
    _ fault: String = "a menu that is not the patched one"
  ) throws {
    func check(_ reader: any Backend<Menu>, _ subject: String) throws {
      guard try reader.whole().fingerprint != step.fingerprint else { return }
      throw WorkloadFailure("\(subject) has \(fault)")
    }
    try check(reader, "a reader")
    guard site.surroundings.entry.survivesRestart else { return }
    let reopened = try site.surroundings.open()
    try check(reopened, "the reopened store")
    try reopened.close()
  }
}

extension Phase {
  fileprivate static let apply = Phase("apply", decides: true, as: "update", saves: true)
  fileprivate static let checkpointShare = LogCycle.share(of: "update")
  fileprivate static let visible = Phase("visible")
}

/// Two patches that undo each other, what readers must find after each, and patches to refuse.
package struct PatchPlan: Sendable {
  /// The products that change, each once.
  let ids: [Int]
  /// The patch there, and the patch back to the menu that was stored.
  let steps: [Step]
  /// Patches whose last price, availability or stop names something that the menu lacks.
  let impossible: [MenuPatch]

  struct Step: Sendable {
    let patch: MenuPatch
    /// The menu that an app holds after the patch.
    let menu: Menu
    let fingerprint: Checksum
    /// The checksums of the products that change, in the order of their ids.
    let checksums: [Checksum?]

    /// Throws ``WorkloadFailure`` unless a reader found every product as the patch made it.
    func check(_ found: [Checksum?], of ids: [Int]) throws {
      for (id, (found, expected)) in zip(ids, zip(found, checksums)) where found != expected {
        let fault = found == nil ? "is missing" : "is not the patched one"
        throw WorkloadFailure("product \(id) \(fault), according to another reader")
      }
    }
  }

  /// Draws the changes: of products' availability or stock, and of variants' prices. Each is drawn
  /// at most once, so that every change has an effect.
  ///
  /// - Throws: ``WorkloadFailure`` if the menu has fewer targets than `changes`.
  init(changes: Int, of menu: Menu) throws {
    var targets = Target.all(of: menu)
    guard !targets.isEmpty else { throw WorkloadFailure("the menu has nothing to change") }
    guard changes <= targets.count else {
      throw WorkloadFailure(
        "\(changes) changes were requested, but the menu has \(targets.count) things to change: "
          + "take a larger menu or patch:changes=\(targets.count)")
    }
    var random = SplitMix64(seed: 2026)
    for place in 0..<changes {
      targets.swapAt(place, place + random.below(targets.count - place))
    }
    let chosen = targets.prefix(changes)
    let ids = chosen.map(\.productID).distinct
    self.ids = ids
    let there = MenuPatch(chosen, { $0.changed }, revision: menu.revision ^ 1)
    let back = MenuPatch(chosen, { $0.value }, revision: menu.revision)
    impossible = there.impossible(for: menu)
    var patched = menu
    try patched.apply(there)
    steps = try [(there, patched), (back, menu)].map { patch, menu in
      Step(
        patch: patch, menu: menu, fingerprint: menu.fingerprint,
        checksums: try menu.checksums(of: ids))
    }
  }
}

private struct Target {
  let productID: Int
  let value: Value

  enum Value {
    case availability(Product.Availability)
    case price(variantID: Int, Int)
    case stopped(Bool)
  }

  /// Leaves out the stop of a product that is already out of stock: undone, it would end the list.
  static func all(of menu: Menu) -> [Target] {
    let stopped = Set(menu.stopList.filter { $0.entity == .product }.map(\.entityID))
    return menu.products.flatMap { product in
      [Target(productID: product.id, value: .availability(product.availability))]
        + (stopped.contains(product.id)
          ? [] : [Target(productID: product.id, value: .stopped(false))])
        + product.variants.map {
          Target(productID: product.id, value: .price(variantID: $0.id, $0.price))
        }
    }
  }

  /// Another value, which usually takes as many bytes.
  var changed: Value {
    switch value {
    case .availability(let old): .availability(old.another)
    case .price(let variantID, let price): .price(variantID: variantID, price ^ 1)
    case .stopped(let isStopped): .stopped(!isStopped)
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
      case .stopped(let isStopped):
        stops.append(
          StopChange(entity: .product, entityID: target.productID, isStopped: isStopped))
      }
    }
  }
}

extension MenuPatch {
  /// Returns patches with one more target that the menu lacks: a variant, a product whose
  /// availability changes, or one that goes out of stock.
  fileprivate func impossible(for menu: Menu) -> [MenuPatch] {
    var (prices, availability, stops) = (self, self, self)
    let product = Set(menu.products.map(\.id)).lowestFree
    prices.prices.append(
      PriceChange(
        variantID: Set(menu.products.flatMap { $0.variants.map(\.id) }).lowestFree, price: 1))
    availability.availability.append(
      AvailabilityChange(productID: product, availability: .hidden))
    stops.stops.append(StopChange(entity: .product, entityID: product, isStopped: true))
    return [prices, availability, stops]
  }
}

extension Menu {
  /// Returns the checksums of the products with these ids, nil if there is none. Cost: one pass.
  func checksums(of ids: [Int]) throws -> [Checksum?] {
    let wanted = Set(ids)
    var found: [Int: Checksum] = [:]
    for product in products where wanted.contains(product.id) && found[product.id] == nil {
      found[product.id] = Checksum(of: product.visit)
    }
    return ids.map { found[$0] }
  }
}
