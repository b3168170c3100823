import BenchEngine
import BenchProbes
import BenchResults
import MenuModel
import PersistenceBackends

/// `product`: one product by its id, by the backend's own route where it has one; then one property
/// of it; and the same product in fresh processes.
///
/// Who has to read and convert a huge model to take one property pays in `property` as much as in
/// `product`, and in `cold-product`, which opens the store too, more than ever.
public struct ProductWorkload: ColdWorkload {
  /// `product`.
  public let name = "product"
  /// What it tells.
  public let summary =
    "one product by its id, all of it used; its name alone; the same in fresh processes"
  /// Finding it and visiting all of it, in one phase: a view pays when it is used. Finding it and
  /// taking its name. Opening the store in a fresh process, then the first again; and its start.
  public let phases = [
    Phase("product", floor: .part, decides: true), Phase("property", decides: true),
    Phase("cold-product", decides: true), .start,
  ]
  /// Enough for a median of one block.
  public let coldStarts = 30

  /// Makes the workload.
  public init() {}

  /// The menu is there.
  public var beginsStored: Bool { true }
  /// Those of the fresh processes.
  public var coldPhases: [Phase] { Array(phases[2...]) }

  /// Which product is asked for, and what must come back.
  public struct Plan: Sendable {
    /// The product.
    public let product: PartPlan
    /// Its name.
    public let property: PartPlan
    /// Asked for in warm-up.
    public let further: FurtherParts
    /// Their names.
    public let furtherNames: FurtherParts
  }

  /// The product in the middle of the menu.
  public func plan(for menu: Menu) throws -> Plan {
    guard !menu.products.isEmpty else {
      throw WorkloadFailure("the menu has no product to read")
    }
    let product = menu.products[menu.products.count / 2]
    let ids = menu.products.map(\.id)
    return Plan(
      product: PartPlan("product", id: product.id, product.visit),
      property: PartPlan("the name of product", id: product.id, product.visitName),
      further: FurtherParts("product", ids: ids) { menu.product($0)?.visit(&$1) },
      furtherNames: FurtherParts("the name of product", ids: ids) {
        menu.product($0)?.visitName(&$1)
      })
  }

  /// By what the backend offers, or by the whole menu.
  public func route<B: Backend>(ofPhase phase: Int, on backend: B) -> Route?
  where B.Document == Menu { phases[phase] == .start ? nil : MenuAccess(backend).productRoute }

  /// Takes the product, then its name; either must have the checksum of what was stored. In warm-up a
  /// route of the backend's own is asked for others too, and for one that is not there.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws where B.Document == Menu {
    let access = MenuAccess(site.backend)
    try site.backend.dropCaches()
    try plan.product.check { checksum in
      try site.measure(0) { try access.product(plan.product.id, into: &checksum) }
    }
    try site.backend.dropCaches()
    try plan.property.check { checksum in
      try site.measure(1) { try access.nameOfProduct(plan.property.id, into: &checksum) }
    }
    guard site.care == .thorough, access.productRoute == .native else { return }
    try plan.further.check { try access.product($0, into: &$1) }
    try plan.furtherNames.check { try access.nameOfProduct($0, into: &$1) }
  }
}

extension ProductWorkload {
  /// What a fresh process found.
  public struct Finding: Codable, Sendable {
    /// The checksum of the product; nil where there is none.
    var checksum: String?
    /// What opening the store, finding the product and visiting it took, in nanoseconds.
    var elapsed: UInt64
  }

  /// The product's id.
  public func order(_ number: Int, by plan: Plan) -> [Int] { [plan.product.id] }

  /// Opens the store and takes the product.
  public func work(_ order: [Int], on site: ColdSite<Menu>) throws -> Finding {
    guard let id = order.first else { throw WorkloadFailure("no product is asked for") }
    return try find(id, in: site.open(), site)
  }

  private func find(
    _ id: Int, in backend: some Backend<Menu>, _ site: ColdSite<Menu>
  ) throws -> Finding {
    var checksum = Checksum()
    let isFound = try MenuAccess(backend).product(id, into: &checksum)
    let finding = Finding(checksum: isFound ? "\(checksum)" : nil, elapsed: site.elapsed)
    try backend.close()
    return finding
  }

  /// Compares the checksum and notes the time.
  public func take<Clock: WallClock>(
    _ finding: Finding, of order: [Int], by plan: Plan, into recorder: PhaseRecorder<Clock>
  ) throws {
    try plan.product.check(finding.checksum)
    recorder.note(Double(finding.elapsed), of: .wall, phase: 2)
  }
}

/// What a workload asks for in warm-up besides the part that it measures: parts all over the menu,
/// and one that is not there. A storage that answers one id alone, or any id, is caught by them.
public struct FurtherParts: Sendable {
  /// What they are called in a failure.
  private let kind: String
  /// The first, the last and some between, drawn by a seed.
  private let parts: [PartPlan]
  /// The id that no part has.
  private let absent: Int

  /// Takes the checksums of the parts by visiting them.
  ///
  /// - Parameters:
  ///   - ids: those of all parts, in the menu's order; at least one.
  ///   - visit: feeds a checksum the part of an id.
  init(_ kind: String, ids: [Int], _ visit: (Int, inout Checksum) throws -> Void) rethrows {
    var random = SplitMix64(seed: 2026)
    let places = [0, ids.count - 1] + (0..<4).map { _ in random.below(ids.count) }
    var seen: Set<Int> = []
    let wanted = places.map { ids[$0] }.filter { seen.insert($0).inserted }
    self.kind = kind
    parts = try wanted.map { id in try PartPlan(kind, id: id) { try visit(id, &$0) } }
    absent = Set(ids).lowestFree
  }

  /// Has every one of them found, and the absent one not.
  ///
  /// - Throws: ``WorkloadFailure`` where one is missing or another than was stored, and where the
  ///   absent one is found.
  func check(_ find: (Int, inout Checksum) throws -> Bool) throws {
    for part in parts { try part.check { try find(part.id, &$0) } }
    var nothing = Checksum()
    guard try find(absent, &nothing) else { return }
    throw WorkloadFailure("\(kind) \(absent) is found, but none was stored")
  }
}

extension Set<Int> {
  /// The lowest number from 1 that is not among them.
  var lowestFree: Int {
    var number = 1
    while contains(number) { number += 1 }
    return number
  }
}
