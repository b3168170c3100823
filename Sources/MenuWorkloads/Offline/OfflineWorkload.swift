import BackendKit
import BenchEngine
import BenchProbes
import Foundation
import MenuModel

/// `offline`: edits made on the device while it is offline, then a merge with the server's snapshot
/// in which the last writer wins.
///
/// A product created on the device has an id below 0 until the server assigns one. A deleted
/// product is hidden until the server knows. Edits wait in a queue with their times and marks. The
/// queue is a JSON file next to the store, the same for every backend. The app holds its menu and
/// changes it before it stores a change, so no edit reads the store. Prices, availability, stops and
/// deletions are patches, by the backend's own route if it has one. Other edits write the whole menu
/// everywhere.
package struct OfflineWorkload: Workload {
  package let name = "offline"
  package let summary =
    "edits queued and applied on the device, then merged with the server's menu: last writer wins"
  /// An edit that is a patch, and one that adds something. The queue's file, written with every
  /// edit, read and written with the merge. Merging everything and storing the result.
  package let phases: [Phase] = [.edit, .editWhole, .queue, .merge]
  /// The menu was stored before the connection was lost.
  package let beginsStored = true
  /// One iteration makes many edits.
  package let leastSamples = 1
  /// Edits that exist only on the device must survive a power cut.
  package let ownDurability = Durability.durable

  var edits = 20

  package static var parameters: [WorkloadParameter<Self>] {
    [WorkloadParameter("edits", \.edits, in: 1...10_000, standard: 20, "edits before the merge")]
  }

  package init() {}

  /// Returns the edits, the server's snapshot, and the expected result.
  package func plan(for menu: Menu) throws -> OfflinePlan { try OfflinePlan(edits, on: menu) }

  /// Returns how a patch is stored. Edits that add something always write the whole menu.
  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    switch phase {
    case .edit: MenuAccess(backend).patchRoute
    case .editWhole: .wholeMenu
    default: nil
    }
  }

  /// Edits and merges, and checks the store and the queue against a reference. Then stores the
  /// first menu again.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: OfflinePlan
  ) throws {
    let (backend, first) = (site.backend, site.fixture.document)
    let file = SmallFile<OfflineQueue>("offline-queue.json", beside: site.surroundings.store)
    try file.remove()
    try edit(by: plan, file, on: site)
    try plan.local.check(backend.whole(), byValue: site.isWarmUp, "the store after the edits")
    try file.check(
      holds: OfflineQueue(edits: plan.edits),
      orElse: "the queue does not match the edits")
    let waiting = try site.measure(.queue) { try file.read() }
    let queue = try site.measure(.merge) {
      let merged = plan.snapshot.merged(with: waiting)
      try backend.put(merged.menu)
      return merged.queue
    }
    try site.measure(.queue) { try file.write(queue) }
    try plan.merged.check(backend.whole(), byValue: site.isWarmUp, "the store after the merge")
    try file.check(
      holds: plan.queue, orElse: "the queue does not match the merge")
    try backend.save(first)
  }

  /// Queues each edit, then applies it. After a crash in between the queue has the edit, and
  /// applying it again does no harm.
  private func edit<B: Backend<Menu>, Clock: WallClock>(
    by plan: OfflinePlan, _ file: SmallFile<OfflineQueue>, on site: WorkSite<B, Clock>
  ) throws {
    let access = MenuAccess(site.backend)
    var (queue, menu) = (OfflineQueue(), site.fixture.document)
    for edit in plan.edits {
      site.surroundings.heartbeat()
      queue.edits.append(edit)
      try site.measure(.queue) { try file.write(queue) }
      let patch = edit.change.patch(revision: menu.revision &+ 1)
      try menu.apply(edit.change)
      menu.revision &+= 1
      do {
        if let patch {
          try site.measure(.edit) { try access.store(patch, making: menu) }
        } else {
          try site.measure(.editWhole) { try site.backend.put(menu) }
        }
      } catch let lost as UnknownPatchTarget {
        throw WorkloadFailure(
          "edit \(edit.id) names \(lost.entity.rawValue) \(lost.id), which the store does not have")
      }
    }
    if plan.edits.allSatisfy({ $0.change.patch(revision: 0) != nil }) {
      site.skip(
        .editWhole,
        because: "the fourth edit is the first that adds something: raise offline:edits")
    }
  }
}

extension Phase {
  fileprivate static let edit = Phase("edit", decides: true, saves: true)
  fileprivate static let editWhole = Phase("edit-whole", decides: true, saves: true)
  fileprivate static let queue = Phase("queue")
  fileprivate static let merge = Phase("merge", decides: true, saves: true)
}

/// The edits of an offline device, the server's snapshot, and the expected result.
package struct OfflinePlan: Sendable {
  let edits: [OfflineEdit]
  /// The device's menu after all edits.
  let local: Fixture<Menu>
  let snapshot: ServerSnapshot
  let merged: Fixture<Menu>
  let queue: OfflineQueue

  /// Draws `count` edits with a seed.
  ///
  /// - Throws: ``WorkloadFailure`` if the menu has nothing to edit, or if its ids leave none for
  ///   created products.
  init(_ count: Int, on menu: Menu) throws {
    var author = try EditAuthor(menu)
    edits = (0..<count).map { author.edit($0) }
    var edited = menu
    for edit in edits {
      try edited.apply(edit.change)
      edited.revision &+= 1
    }
    local = Fixture(edited)
    snapshot = try ServerSnapshot(after: edits, of: menu)
    let merged = snapshot.merged(with: OfflineQueue(edits: edits))
    self.merged = Fixture(merged.menu)
    queue = merged.queue
  }
}

/// Draws edits. In ten edits four change prices and two availabilities. One creates a product,
/// which later ones put on the stop list and into a slot. The last deletes it or one of the menu's.
private struct EditAuthor {
  private let products: [Product]
  private let slots: [Slot]
  private var random = SplitMix64(seed: 2_016)
  private var lastID = 0
  private var created: Int?

  init(_ menu: Menu) throws {
    products = menu.products.filter { !$0.variants.isEmpty }
    slots = menu.combos.flatMap(\.slots)
    guard !products.isEmpty else { throw WorkloadFailure("the menu has no product to edit") }
    let ids = menu.products.flatMap { [$0.id] + $0.variants.map(\.id) }
    guard let least = ids.min(), least >= 0 else {
      throw WorkloadFailure(
        "the menu has the id \(ids.min() ?? 0), but ids below 0 are for products made on the "
          + "device: take a menu without them")
    }
  }

  mutating func edit(_ index: Int) -> OfflineEdit {
    OfflineEdit(id: index + 1, time: (index + 1) * 1_000, change: change(index))
  }

  private mutating func change(_ index: Int) -> MenuChange {
    let product = products[random.below(products.count)]
    switch index % 10 {
    case 1, 4: return .availability(productID: product.id, product.availability.another)
    case 3: return .create(copy(of: product))
    case 6: return .stop(productID: created ?? product.id)
    case 7 where !slots.isEmpty:
      return .offer(productID: created ?? product.id, slotID: slots[random.below(slots.count)].id)
    case 9:
      let isOwn = index % 20 == 19
      return .delete(productID: isOwn ? created ?? product.id : product.id)
    default:
      let variant = product.variants[random.below(product.variants.count)]
      return .price(
        productID: product.id, variantID: variant.id, price: random.within(1...1_000) * 100)
    }
  }

  private mutating func copy(of product: Product) -> Product {
    var copy = product
    copy.id = nextID()
    copy.code = nil
    for index in copy.variants.indices { copy.variants[index].id = nextID() }
    created = copy.id
    return copy
  }

  private mutating func nextID() -> Int {
    lastID -= 1
    return lastID
  }
}

extension Product.Availability {
  /// Another value, which usually takes as many bytes.
  var another: Self { self == .available ? .comboOnly : .available }
}

extension ServerSnapshot {
  /// Makes the server's menu after it received some edits and itself changed the products of
  /// others, alternately later and earlier than they did.
  init(after edits: [OfflineEdit], of menu: Menu) throws {
    self.menu = menu
    self.menu.revision &+= 1_000
    for (index, edit) in edits.enumerated() {
      switch index % 10 {
      case 0, 3: if index < 10 { try receive(edit) }
      case 2: try change(edit.change.productID, at: edit.time + 1)
      case 5: try change(edit.change.productID, at: edit.time - 1)
      default: break
      }
    }
  }

  private mutating func receive(_ edit: OfflineEdit) throws {
    received.insert(edit.id)
    if case .create(let product) = edit.change {
      ids.products[product.id] = try Self.id(1, after: menu.products.map(\.id))
      let variants = menu.products.flatMap(\.variants).map(\.id)
      for (index, variant) in product.variants.enumerated() {
        ids.variants[variant.id] = try Self.id(index + 1, after: variants)
      }
    }
    try menu.apply(edit.change.renamed(by: ids))
  }

  /// Returns a free id: the largest one plus a distance.
  private static func id(_ distance: Int, after ids: [Int]) throws -> Int {
    let last = ids.max() ?? 0
    let (id, isTooLarge) = last.addingReportingOverflow(distance)
    guard !isTooLarge else {
      throw WorkloadFailure(
        "the menu has the id \(last), so the server has no larger id for new products: "
          + "take a menu with smaller ids")
    }
    return id
  }

  /// Changes every price of a product, as the server's own edit.
  private mutating func change(_ id: Int, at time: Int) throws {
    changed[id] = time
    guard let product = menu.product(id) else { return }
    let prices = product.variants.map {
      MenuPatch.PriceChange(variantID: $0.id, price: $0.price ^ 1)
    }
    try menu.apply(MenuPatch(revision: menu.revision, prices: prices))
  }
}
