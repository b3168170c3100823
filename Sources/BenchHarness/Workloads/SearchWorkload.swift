import BenchProbes
import MenuModel
import PersistenceBackends

/// `search`: products by a piece of their name, whatever its case, `ё` by `е` and `é` by `e`, in the
/// order in which people sort, but for numbers, whose digits count one by one; what is found must be
/// what ``NameSearch`` finds, in its order.
public struct SearchWorkload: Workload {
  /// What it stores.
  public typealias Document = Menu

  /// `search`.
  public let name = "search"
  /// What it tells.
  public let summary =
    "products by a piece of their name: Cyrillic, Latin, a common one, none; by the alphabet, "
    + "numbers digit by digit"
  /// A piece of a Cyrillic name, of a Latin one, what most names have, what none has. A menu that has
  /// no names in one of the scripts is not searched for it.
  public let phases = [Phase("cyrillic"), Phase("latin"), Phase("common"), Phase("none")]
  /// The menu is there.
  public let beginsStored = true

  /// Makes the workload.
  public init() {}

  /// The queries, with what the reference finds.
  public func plan(for menu: Menu) throws -> SearchPlan { try SearchPlan(menu) }

  /// By what the backend offers, or by the whole menu.
  public func route<B: Backend>(ofPhase phase: Int, on backend: B) -> Route?
  where B.Document == Menu { MenuAccess(backend).searchRoute }

  /// Searches once for each phase; in warm-up, unmeasured, for further texts too.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: SearchPlan
  ) throws where B.Document == Menu {
    let access = MenuAccess(site.backend)
    for (phase, choice) in plan.queries.enumerated() {
      switch choice {
      case .missing(let reason): site.recorder.skip(phase, because: reason)
      case .query(let query):
        try site.backend.dropCaches()
        try query.check(try site.measure(phase) { try access.products(named: query.text) })
      }
    }
    // The whole-menu route is the reference itself.
    guard site.care == .thorough, access.searchRoute == .native else { return }
    for text in plan.further {
      let ids = NameSearch.products(of: site.fixture.document, named: text)
      try SearchPlan.Query(text: text, ids: ids).check(access.products(named: text))
    }
  }
}
