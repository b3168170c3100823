import BenchResults
import MenuModel
import PersistenceBackends
import Testing

@testable import BenchHarness

@Suite("A merge with the server's menu")
struct OfflineMergeTests {
  private let menu = WorkloadStage.menu
  private var product: Product { menu.products[0] }
  private var variant: Int { product.variants[0].id }

  private var own: Product {
    var own = product
    own.id = -1
    own.variants = [product.variants[0]]
    own.variants[0].id = -2
    return own
  }

  /// Edits of which the first is made at 1,000 ms, and each of the others a second after the one
  /// before.
  private func queue(_ changes: MenuChange...) -> OfflineQueue {
    OfflineQueue(
      edits: changes.enumerated().map {
        OfflineEdit(id: $0 + 1, time: ($0 + 1) * 1_000, change: $1)
      })
  }

  private func marks(_ queue: OfflineQueue) -> [OfflineEdit.Mark] { queue.edits.map(\.mark) }

  private func price(of menu: Menu) -> Int? { menu.product(product.id)?.variants[0].price }

  @Test("keeps an edit that is later than the server's change, and drops one that is not")
  func lastWriter() {
    let queue = queue(.price(productID: product.id, variantID: variant, price: 7))
    for (time, mark, price) in [
      (nil, OfflineEdit.Mark.waiting, 7), (999, .waiting, 7), (1_000, .overruled, 55),
      (1_001, .overruled, 55),
    ] {
      var server = menu
      server.products[0].variants[0].price = 55
      let snapshot = ServerSnapshot(
        menu: server, changed: time.map { [product.id: $0] } ?? [:])
      let merged = snapshot.merged(with: queue)
      #expect(marks(merged.queue) == [mark])
      #expect(self.price(of: merged.menu) == price)
    }
  }

  @Test("decides product by product")
  func products() {
    let other = menu.products[1]
    let merged = ServerSnapshot(menu: menu, changed: [product.id: 9_000]).merged(
      with: queue(
        .price(productID: product.id, variantID: variant, price: 7),
        .price(productID: other.id, variantID: other.variants[0].id, price: 8)))
    #expect(marks(merged.queue) == [.overruled, .waiting])
    #expect(merged.menu.products[0] == product)
    #expect(merged.menu.products[1].variants[0].price == 8)
  }

  @Test("does not repeat what the server has")
  func received() {
    let queue = queue(.price(productID: product.id, variantID: variant, price: 7))
    let merged = ServerSnapshot(menu: menu, received: [1]).merged(with: queue)
    #expect(marks(merged.queue) == [.synced])
    #expect(merged.menu == menu)
  }

  @Test("gives way where the server deleted the product")
  func deletedThere() {
    var server = menu
    server.products.removeFirst()
    let merged = ServerSnapshot(menu: server).merged(
      with: queue(
        .price(productID: product.id, variantID: variant, price: 7), .delete(productID: product.id),
        .stop(productID: product.id)))
    #expect(marks(merged.queue) == [.overruled, .overruled, .overruled])
    #expect(merged.menu == server)
  }

  @Test("hides what was deleted here until the server knows")
  func deletedHere() {
    let queue = queue(.delete(productID: product.id))
    let merged = ServerSnapshot(menu: menu).merged(with: queue)
    #expect(merged.menu.products[0].availability == .hidden)
    #expect(marks(merged.queue) == [.waiting])
    var server = menu
    server.products.removeFirst()
    let later = ServerSnapshot(menu: server, received: [1]).merged(with: merged.queue)
    #expect(later.menu == server)
    #expect(marks(later.queue) == [.synced])
  }

  @Test("never tells the server of what was created and deleted before it heard of either")
  func createdThenDeleted() {
    let slot = menu.combos[0].slots[0].id
    let merged = ServerSnapshot(menu: menu).merged(
      with: queue(
        .create(own), .stop(productID: -1), .offer(productID: -1, slotID: slot),
        .delete(productID: -1)))
    #expect(marks(merged.queue) == [.withdrawn, .withdrawn, .withdrawn, .withdrawn])
    #expect(merged.menu == menu)
  }

  @Test("deletes by the server's id what the server has meanwhile created")
  func deletedAfterCreation() {
    var server = menu
    let ids = ServerIDs(products: [-1: 900], variants: [-2: 901])
    server.products.append(ids.rename(own))
    let merged = ServerSnapshot(menu: server, received: [1], ids: ids).merged(
      with: queue(.create(own), .delete(productID: -1)))
    #expect(marks(merged.queue) == [.synced, .waiting])
    #expect(merged.queue.edits[1].change == .delete(productID: 900))
    #expect(merged.menu.product(900)?.availability == .hidden)
  }

  @Test("keeps a product that the server does not know under the device's id")
  func created() throws {
    let slot = menu.combos[0].slots[0]
    let merged = ServerSnapshot(menu: menu).merged(
      with: queue(
        .create(own), .price(productID: -1, variantID: -2, price: 9), .stop(productID: -1),
        .offer(productID: -1, slotID: slot.id)))
    #expect(marks(merged.queue) == [.waiting, .waiting, .waiting, .waiting])
    #expect(merged.menu.product(-1)?.variants[0].price == 9)
    #expect(merged.menu.stopList.last == StopListEntry(entity: .product, entityID: -1))
    #expect(merged.menu.options(of: merged.menu.combos[0].slots[0]).last?.productID == -1)
    try merged.menu.validate()
  }

  @Test("gives everything that refers to it the server's id, once there is one")
  func ids() throws {
    let slot = menu.combos[0].slots[0]
    let local = ServerSnapshot(menu: menu).merged(
      with: queue(
        .create(own), .price(productID: -1, variantID: -2, price: 9), .stop(productID: -1),
        .offer(productID: -1, slotID: slot.id), .availability(productID: -1, .comboOnly)))
    let ids = ServerIDs(products: [-1: 900], variants: [-2: 901])
    var server = menu
    server.products.append(ids.rename(own))
    let merged = ServerSnapshot(menu: server, received: [1], ids: ids).merged(with: local.queue)
    #expect(marks(merged.queue) == [.synced, .waiting, .waiting, .waiting, .waiting])
    #expect(merged.queue.ids == ids)
    #expect(merged.menu.product(-1) == nil)
    let product = try #require(merged.menu.product(900))
    #expect(product.variants.map(\.id) == [901])
    #expect(product.variants[0].price == 9)
    #expect(product.availability == .comboOnly)
    #expect(merged.menu.stopList.last?.entityID == 900)
    #expect(merged.menu.options(of: merged.menu.combos[0].slots[0]).last?.productID == 900)
    try merged.menu.validate()
  }

  @Test("done twice changes nothing more", arguments: [7, 20, 45])
  func idempotence(edits: Int) throws {
    let plan = try OfflinePlan(edits, on: menu)
    let again = plan.snapshot.merged(with: plan.queue)
    #expect(again.menu == plan.merged.document)
    #expect(again.queue == plan.queue)
  }
}

@Suite("offline")
struct OfflineTests {
  private let menu = WorkloadStage.menu

  private func complaint(of entry: BackendEntry<Menu>) -> String? {
    do {
      try WorkloadStage.run(OfflineWorkload(), on: entry)
      return nil
    } catch {
      return String(describing: error)
    }
  }

  @Test("edits every kind of thing, with every outcome, and leaves valid menus")
  func plan() throws {
    let plan = try OfflinePlan(20, on: menu)
    let kinds = plan.edits.map { String(describing: $0.change).prefix { $0 != "(" } }
    #expect(Set(kinds) == ["create", "price", "availability", "stop", "offer", "delete"])
    let marks = Dictionary(grouping: plan.queue.edits, by: \.mark).mapValues(\.count)
    #expect(marks[.synced] == 2)
    #expect((marks[.overruled] ?? 0) > 0)
    #expect((marks[.withdrawn] ?? 0) > 0)
    #expect((marks[.waiting] ?? 0) > 0)
    try plan.local.document.validate()
    try plan.merged.document.validate()
    #expect(plan.local.document.products.filter { $0.id < 0 }.count == 2)
    #expect(plan.merged.document.products.filter { $0.id < 0 } == [])
  }

  @Test("edits and merges on every backend", arguments: BackendRegistry.all.map(\.id))
  func backends(id: String) throws {
    let entry = try #require(BackendRegistry.all.first { $0.id == id })
    let outcome = try WorkloadStage.run(OfflineWorkload(), on: entry, times: 2)
    #expect(["edit", "merge"].map(outcome.samples) == [40, 2])
    #expect(outcome.stored == menu)
  }

  @Test("takes menus that embed products, and those without combos")
  func shapes() throws {
    let embedding = WorkloadStage.menu("products=9,combos=3,slots=2,options=3,embed=yes,seed=7")
    var bare = menu
    (bare.combos, bare.optionLists, bare.translations) = ([], [], [])
    for menu in [embedding, bare] {
      for entry: BackendEntry<Menu> in [.json, .sqlite] {
        #expect(try WorkloadStage.run(OfflineWorkload(), on: entry, menu).stored == menu)
      }
    }
  }

  @Test("refuses a menu without products")
  func empty() {
    #expect(throws: WorkloadFailure("the menu has no product to edit")) {
      try OfflineWorkload().plan(
        for: Menu(id: 1, revision: 1, locale: "", currency: "", city: ""))
    }
  }

  @Test("fails where an edit is lost")
  func lost() throws {
    // The first menu, then an edit a write.
    let said = try #require(complaint(of: .forgetting(writes: [21])))
    #expect(said.hasPrefix("the store is not as the edits should have left it: revision: "))
  }

  @Test("fails where the merge is lost")
  func lostMerge() throws {
    let said = try #require(complaint(of: .forgetting(writes: [22])))
    #expect(said.hasPrefix("the store is not as the merge should have left it: revision: "))
  }

  @Test("fails where a store takes no ids of the device's")
  func localIDs() throws {
    let said = try #require(complaint(of: .changing { $0.products.removeAll { $0.id < 0 } }))
    #expect(said == "edit 7 is of product -1, which the store does not have")
  }
}
