import BenchResults
import Foundation
import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

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

  /// Edits. The first is made at 1,000 ms, and each other one a second after the one before.
  private func queue(_ changes: MenuChange...) -> OfflineQueue {
    OfflineQueue(
      edits: changes.enumerated().map {
        OfflineEdit(id: $0 + 1, time: ($0 + 1) * 1_000, change: $1)
      })
  }

  private func marks(_ queue: OfflineQueue) -> [OfflineEdit.Mark] { queue.edits.map(\.mark) }

  private func price(of menu: Menu) -> Int? { menu.product(product.id)?.variants[0].price }

  @Test("keeps an edit that is later than the server's change, and drops an earlier one")
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

  @Test("does not repeat edits that the server has")
  func received() {
    let queue = queue(.price(productID: product.id, variantID: variant, price: 7))
    let merged = ServerSnapshot(menu: menu, received: [1]).merged(with: queue)
    #expect(marks(merged.queue) == [.synced])
    #expect(merged.menu == menu)
  }

  @Test("drops an edit if the server deleted the product")
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

  @Test("hides products deleted here until the server knows")
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

  @Test("never sends edits of products that were created and deleted before the server knew them")
  func createdThenDeleted() {
    let slot = menu.combos[0].slots[0].id
    let merged = ServerSnapshot(menu: menu).merged(
      with: queue(
        .create(own), .stop(productID: -1), .offer(productID: -1, slotID: slot),
        .delete(productID: -1)))
    #expect(marks(merged.queue) == [.withdrawn, .withdrawn, .withdrawn, .withdrawn])
    #expect(merged.menu == menu)
  }

  @Test("deletes by the server's id a product that the server has created meanwhile")
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

  @Test("uses the device's id until the server knows a product, and then the server's everywhere")
  func ids() throws {
    let slot = menu.combos[0].slots[0]
    let local = ServerSnapshot(menu: menu).merged(
      with: queue(
        .create(own), .price(productID: -1, variantID: -2, price: 9), .stop(productID: -1),
        .offer(productID: -1, slotID: slot.id), .availability(productID: -1, .comboOnly)))
    #expect(Set(marks(local.queue)) == [.waiting])
    #expect(local.menu.product(-1)?.variants[0].price == 9)
    #expect(local.menu.stopList.last == StopListEntry(entity: .product, entityID: -1))
    #expect(local.menu.options(of: local.menu.combos[0].slots[0]).last?.productID == -1)
    try local.menu.validate()
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

  @Test("makes from two small menus the third that a person would")
  func byHand() throws {
    func product(_ id: Int, _ price: Int) -> Product {
      Product(
        id: id, categoryID: 1, kind: .drink, name: "drink \(id)", details: "",
        variants: [Variant(id: id * 10, size: "", price: price, image: "")])
    }
    var server = Menu(id: 1, revision: 50, locale: "ru", currency: "RUB", city: "")
    server.categories = [Category(id: 1, name: "drinks")]
    // 1 costs more since 1.5 s, 2 is gone, 3 is as it was, 7 is what the device calls -1.
    server.products = [product(1, 111), product(3, 300), product(7, 700)]
    server.products[2].variants[0].id = 71
    let ids = ServerIDs(products: [-1: 7], variants: [-10: 71])
    let snapshot = ServerSnapshot(menu: server, changed: [1: 1_500], received: [4], ids: ids)
    let merged = snapshot.merged(
      with: queue(
        .price(productID: 1, variantID: 10, price: 101),
        .availability(productID: 1, .comboOnly),
        .price(productID: 2, variantID: 20, price: 201),
        .create(product(-1, 700)),
        .price(productID: -1, variantID: -10, price: 701),
        .stop(productID: -1),
        .create(product(-2, 800)),
        .delete(productID: -2),
        .delete(productID: 3)))
    var expected = server
    expected.products[0].availability = .comboOnly
    expected.products[1].availability = .hidden
    expected.products[2].variants[0].price = 701
    expected.stopList = [StopListEntry(entity: .product, entityID: 7)]
    #expect(merged.menu == expected)
    #expect(
      marks(merged.queue) == [
        .overruled, .waiting, .overruled, .synced, .waiting, .waiting, .withdrawn, .withdrawn,
        .waiting,
      ])
    #expect(merged.queue.edits[4].change == .price(productID: 7, variantID: 71, price: 701))
    #expect(merged.queue.edits[5].change == .stop(productID: 7))
    #expect(merged.queue.ids == ids)
  }

  @Test("changes nothing more the second time", arguments: [7, 20, 45])
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
    WorkloadStage.complaint(of: OfflineWorkload(), on: entry)
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

  @Test("edits and merges on every backend", arguments: BackendRegistry.all)
  func backends(entry: BackendEntry<Menu>) throws {
    let outcome = try WorkloadStage.run(OfflineWorkload(), on: entry, times: 2)
    // Four of twenty edits add something. The queue is written with each edit, and read and written
    // once.
    #expect(["edit", "edit-whole", "queue", "merge"].map(outcome.samples) == [32, 8, 44, 2])
    #expect(outcome.skipped["edit-whole"] == nil)
    #expect(outcome.stored == menu)
  }

  @Test("stops a product by a patch, and reads nothing before an edit or the merge is stored")
  func patches() throws {
    #expect(
      MenuChange.stop(productID: 7).patch(revision: 3)
        == MenuPatch(
          revision: 3, stops: [.init(entity: .product, entityID: 7, isStopped: true)]))
    let backend = Witness(MemoryBackend())
    try WorkloadStage.run(OfflineWorkload(), on: backend)
    // Twenty edits and a check, the merge and a check, and the first menu again.
    #expect(
      backend.calls == Array(repeating: "write", count: 20) + ["read", "write", "read", "write"])
  }

  @Test("says if no edit adds anything")
  func patchesOnly() throws {
    let outcome = try WorkloadStage.run(OfflineWorkload().with("edits=3"), on: .memory)
    #expect(["edit", "edit-whole"].map(outcome.samples) == [3, 0])
    #expect(
      outcome.skipped["edit-whole"]
        == "the fourth edit is the first that adds something: raise offline:edits")
  }

  @Test("names the route of each kind of edit")
  func routes() throws {
    let workload = OfflineWorkload()
    func routes(_ backend: some Backend<Menu>) -> [Route?] {
      workload.phases.map { workload.route(of: $0, on: backend) }
    }
    #expect(routes(MemoryBackend<Menu>()) == [.wholeMenu, .wholeMenu, nil, nil])
    let held = try BackendEntry<Menu>.cachedJSON.open(
      StoreContext(folder: "none", durability: .none))
    #expect(routes(held) == [.native, .wholeMenu, nil, nil])
  }

  @Test("agrees with the result that was worked out by hand")
  func expected() throws {
    let marks = try OfflinePlan(10, on: menu).queue.edits.map(\.mark)
    // The server has edits 1 and 4. It changed the product of edit 3 after the edit, and that of
    // edit 6 before it. The other edits of the product from edit 4 use its new id.
    #expect(
      marks == [
        .synced, .waiting, .overruled, .synced, .waiting, .waiting, .waiting, .waiting, .waiting,
        .waiting,
      ])
  }

  @Test("refuses menus whose ids leave none for new things", arguments: [false, true])
  func largestID(isVariant: Bool) {
    var menu = menu
    if isVariant {
      menu.products[2].variants[0].id = .max
    } else {
      menu.products[2].id = .max
    }
    #expect(
      throws: WorkloadFailure(
        "the menu has the id 9223372036854775807, so the server has no larger id for new products: "
          + "take a menu with smaller ids")
    ) { try OfflinePlan(20, on: menu) }
  }

  @Test("refuses menus with ids of the device's own range")
  func ownID() {
    var menu = menu
    menu.products[2].variants[0].id = -1
    #expect(
      throws: WorkloadFailure(
        "the menu has the id -1, but ids below 0 are for products made on the device: take a "
          + "menu without them")
    ) { try OfflinePlan(20, on: menu) }
  }

  /// Meddles with the queue where it has come so far.
  private func meddling(
    _ when: @escaping @Sendable (OfflineQueue) -> Bool,
    _ change: @escaping @Sendable (inout OfflineQueue) -> Void
  ) -> BackendEntry<Menu> {
    BackendEntry(id: "meddling", summary: "meddles with the queue") { store in
      let path = store.path("offline-queue.json")
      return Meddling(path) {
        let bytes = try Data(contentsOf: URL(filePath: path))
        var queue = try JSONDecoder().decode(OfflineQueue.self, from: bytes)
        guard when(queue) else { return bytes }
        change(&queue)
        return try JSONEncoder().encode(queue)
      }
    }
  }

  @Test("fails if the queue lost an edit, or a mark")
  func lostInQueue() {
    let edit = meddling({ $0.edits.count == 20 }, { $0.edits.removeLast() })
    #expect(
      complaint(of: edit)
        == "the queue does not match the edits: edits: 20 parts became 19")
    let mark = meddling({ $0.edits.first?.mark == .synced }, { $0.edits[0].mark = .waiting })
    #expect(
      complaint(of: mark)
        == "the queue does not match the merge: edits[0].mark: synced became waiting")
  }

  @Test("accepts menus that embed products, and those without combos")
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

  /// Patches its own menu, and drops what has an id of the device.
  private final class Dropping: Wrapper, MenuPatching {
    func apply(_ patch: MenuPatch) throws {
      var menu = try read()
      try menu.apply(patch)
      try write(menu)
    }

    override func write(_ payload: Menu) throws {
      var menu = payload
      menu.products.removeAll { $0.id < 0 }
      try super.write(menu)
    }
  }

  @Test("fails if an edit or the merge is lost, or if a store does not accept the device's ids")
  func lost() throws {
    // The first menu, then an edit a write, then the merge.
    for (write, moment) in [(21, "edits"), (22, "merge")] {
      let said = try #require(complaint(of: .forgetting(writes: [write])))
      let words = "the store after the \(moment) differs from what was written: revision: "
      #expect(said.hasPrefix(words), "\(said)")
    }
    #expect(
      complaint(of: .changing { $0.products.removeAll { $0.id < 0 } })
        == "the store after the edits differs from what was written: products: 14 parts became 12")
    #expect(
      complaint(of: Dropping.around(.json))
        == "edit 7 names product -1, which the store does not have")
  }
}
