import BenchProbes
import Foundation
import MenuModel
import PersistenceBackends

/// `upgrade`: a store written by a program of schema 1 is opened by programs of 2 and 3, each of which
/// renames a field; another by one of 3 at once, as by a user who skips a version; then one of schema 2
/// meets the store of schema 3, as after a rollback.
///
/// Backends that change schemas do so in place, and refuse a newer store. For the others a stamp beside
/// the store says whose it is (``StampedStore``): a store of another schema is discarded and the menu
/// stored anew. What is fetched for that is at hand; its network time is not in the figures.
public struct UpgradeWorkload: Workload {
  /// What it stores.
  public typealias Document = Menu

  /// `upgrade`.
  public let name = "upgrade"
  /// What it tells.
  public let summary =
    "a store of schema 1 opened by programs of 2 and 3, then by an older one: migrated by a native "
    + "route, discarded and stored anew by others"
  /// Each from opening until the whole menu was read; ``UpgradePass/Step`` in their order.
  public let phases = [Phase("to-2"), Phase("to-3"), Phase("1-to-3"), Phase("back")]
  /// The store that is given stays as it is.
  public let beginsStored = true
  /// An app does each of its steps once.
  public let leastSamples = 1

  /// Makes the workload.
  public init() {}

  /// There is nothing to open where nothing stays.
  public func refusal(of backend: BackendEntry<Menu>) -> String? {
    backend.survivesRestart ? nil : "nothing survives the process, so there is no store to upgrade"
  }

  /// Changed in place, or stored whole; an older program always stores the menu whole.
  public func route<B: Backend>(ofPhase phase: Int, on backend: B) -> Route?
  where B.Document == Menu {
    phases[phase].id != "back" && backend is any SchemaChanging ? .native : .wholeMenu
  }

  /// Goes through the steps; after each the whole menu must be there, and after the last nothing but
  /// what the older program stored.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Void
  ) throws where B.Document == Menu {
    let folder = try site.surroundings.neighbour("upgraded")
    defer { try? FileManager.default.removeItem(atPath: folder.folder) }
    let pass = UpgradePass(site: site, folder: folder, phases: phases)
    if let type = B.self as? any SchemaChanging<Menu>.Type {
      try pass.migrate(type)
    } else {
      try pass.discard()
    }
  }
}
