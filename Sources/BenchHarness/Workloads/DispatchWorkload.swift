import BenchProbes
import BenchResults
import MenuModel
import PersistenceBackends

/// `dispatch`: a unidirectional store, one state for the whole app, fed with an action a frame and
/// saved after each or, debounced, when they end.
///
/// The state is the menu, a cart and a screen; what is saved of it is the menu, since that is what
/// backends keep, with every action's revision. Time is simulated: which frames save is worked out
/// before, and nobody waits. A frame at 60 a second has 16.7 ms.
public struct DispatchWorkload: Workload {
  /// `dispatch`.
  public let name = "dispatch"
  /// What it tells.
  public let summary =
    "one state for the whole app, an action a frame at 60 a second, saved after each or debounced"
  /// Reducing an action, saving the state, and what one frame had to do of both.
  public let phases = [Phase("reduce"), Phase("save"), Phase("frame")]
  /// The app has started.
  public let beginsStored = true
  /// One is many actions.
  public let leastSamples = 1

  var actions = 20
  var debounce = 0

  /// How many actions, and how long the stream must rest before the state is saved.
  public static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter("actions", \.actions, in: 1...10_000, standard: 20, "actions in a row"),
      WorkloadParameter(
        "debounce", \.debounce, in: 0...60_000, standard: 0,
        "milliseconds without an action before the state is saved; 0 saves after each"),
    ]
  }
  /// Saved after each action, and when they end.
  public static var variants: [String] { ["", "debounce=500"] }

  /// Makes the workload.
  public init() {}

  /// The actions and the frames that they fall into.
  public func plan(for menu: Menu) throws -> DispatchPlan {
    DispatchPlan(
      try DispatchPlan.actions(actions, on: menu, seed: 60), debounce: debounce)
  }

  /// Plays the frames; what is stored afterwards must be the state that the actions led to. Then
  /// stores the first menu again.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: DispatchPlan
  ) throws where B.Document == Menu {
    let (backend, clock) = (site.backend, MonotonicClock())
    var state = AppState(menu: site.fixture.document)
    for frame in plan.frames {
      site.surroundings.beat()
      let start = clock.now()
      if let action = frame.action { try site.measure(0) { try state.reduce(action) } }
      if frame.saves { try site.measure(1) { try backend.write(backend.encode(state.menu)) } }
      site.recorder.note(Double(clock.now() - start), of: .wall, phase: 2)
    }
    try check(try backend.decode(backend.read()), against: state.menu)
    try backend.prepare(site.fixture.document)
    try backend.write(backend.encode(site.fixture.document))
  }

  private func check(_ kept: Menu, against state: Menu) throws {
    guard kept.fingerprint != state.fingerprint else { return }
    let lost = state.revision &- kept.revision
    if lost > 0 {
      throw WorkloadFailure("the last \(lost) of \(actions) actions are not in what is stored")
    }
    let place = firstDifference(state, kept) ?? "the order or form of some part"
    throw WorkloadFailure("what is stored is not the state that the actions led to: \(place)")
  }
}
