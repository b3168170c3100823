import BenchProbes
import MenuModel
import PersistenceBackends

/// Reads one part of a stored menu, by the backend's own route where it has one.
protocol PartReading: Workload where Document == Menu, Plan == PartPlan {
  /// Finds the part of an id and feeds all of it to a checksum; whether there is one.
  func find<B: Backend>(
    _ id: Int, in access: MenuAccess<B>, into checksum: inout Checksum
  ) throws -> Bool where B.Document == Menu
  /// How that is done.
  func route<B: Backend>(of access: MenuAccess<B>) -> Route where B.Document == Menu
}

extension PartReading {
  /// The menu is there.
  public var beginsStored: Bool { true }
  /// Finding it and visiting all of it, in one phase: a view pays when it is used.
  public var phases: [Phase] { [Phase(name, floor: .part)] }

  /// By what the backend offers, or by the whole menu.
  public func route<B: Backend>(ofPhase phase: Int, on backend: B) -> Route?
  where B.Document == Menu { route(of: MenuAccess(backend)) }

  /// Reads it once; what is visited must have the checksum of what was stored.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: PartPlan
  ) throws where B.Document == Menu {
    let access = MenuAccess(site.backend)
    try site.backend.dropCaches()
    var checksum = Checksum()
    let isFound = try site.measure(0) { try find(plan.id, in: access, into: &checksum) }
    try plan.check(isFound ? checksum : nil, name)
  }
}

/// Which part of a menu a workload asks for, and what must come back.
public struct PartPlan: Sendable {
  /// The part's id.
  public let id: Int
  /// The checksum of all of it.
  public let checksum: Checksum

  /// Takes the checksum of a part.
  init(id: Int, part: some MenuPart) throws {
    var checksum = Checksum()
    try part.visit(&checksum)
    self.id = id
    self.checksum = checksum
  }

  /// Throws ``WorkloadFailure`` unless the part was found whole.
  func check(_ found: Checksum?, _ kind: String) throws {
    guard let found else { throw WorkloadFailure("\(kind) \(id) was stored but is not found") }
    guard found == checksum else {
      throw WorkloadFailure("\(kind) \(id) is read back with another content than was stored")
    }
  }
}
