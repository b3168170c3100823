import BenchProbes
import BenchResults
import MenuModel
import PersistenceBackends

/// `launch-flow`: the menu comes from the network, is stored, read back, and mapped to what is shown.
///
/// The network's time is given, not waited for: what is asked is which part of the whole is
/// persistence. An app that shows what it has fetched, and stores it meanwhile, has no such part.
public struct LaunchFlowWorkload: Workload {
  /// `launch-flow`.
  public let name = "launch-flow"
  /// What it tells.
  public let summary =
    "a menu fetched, stored, read back and mapped to view models: the share that is persistence"
  /// The network as given; encoding and writing, from the bytes as they came where the backend takes
  /// those; reading and decoding; mapping; and the sum.
  public let phases = [
    Phase("network"), Phase("store", floor: .write), Phase("read-back", floor: .read),
    Phase("map"), Phase("total"),
  ]
  /// What the network took, in milliseconds.
  public var network = Self.standardNetwork

  private static let standardNetwork = 500

  /// Makes the workload.
  public init() {}

  /// The network's time.
  public static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter(
        "network", \.network, in: 0...600_000, standard: standardNetwork,
        "milliseconds that fetching the menu is taken to last")
    ]
  }

  /// What must be shown of a menu: of its next revision as well, which differs in nothing shown.
  public func plan(for menu: Menu) throws -> MenuScreen { MenuScreen(menu) }

  /// Stores the menu, reads it back and maps it; what is shown must be what the menu says.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: MenuScreen
  ) throws where B.Document == Menu {
    let (backend, menu) = (site.backend, site.fixture.document)
    try backend.prepare(menu)
    try site.measure(1) { try backend.write(backend.encode(menu)) }
    try backend.dropCaches()
    let known = try site.measure(2) { try backend.decode(backend.read()) }
    let shown = site.measure(3) { MenuScreen(known) }
    guard known.fingerprint == site.fixture.fingerprint else {
      let place = firstDifference(menu, known) ?? "the order or form of some part"
      throw WorkloadFailure("the menu read back differs from the one fetched: \(place)")
    }
    guard shown == plan else {
      throw WorkloadFailure("what is shown differs from what the menu says")
    }
    note(in: site.recorder)
  }

  private func note<Clock: WallClock>(in recorder: PhaseRecorder<Clock>) {
    let network = Double(network) * 1e6
    let parts = (1...3).compactMap(recorder.lastWall)
    let total = parts.reduce(network, +)
    recorder.note(network, of: .wall, phase: 0)
    recorder.note(total, of: .wall, phase: 4)
    guard total > 0 else { return }
    recorder.note((parts[0] + parts[1]) / total * 100, of: .persistenceShare, phase: 4)
  }
}
