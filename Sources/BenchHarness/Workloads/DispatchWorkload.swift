import BenchProbes
import BenchResults
import MenuModel
import PersistenceBackends

/// `dispatch`: a unidirectional store, one state for the whole app, fed with an action a frame and
/// saved after each or, debounced, when they end.
///
/// The state is the menu, a cart and a screen. The menu is saved by the backend, with every action's
/// revision; cart and screen in a small JSON file beside it, the same for every backend.
///
/// Actions are due at 60 a second, 16.7 ms a frame, in simulated time: each waits for what the one
/// thread has to do before it, of which the costs are measured; nobody waits in fact.
public struct DispatchWorkload: Workload {
  /// `dispatch`.
  public let name = "dispatch"
  /// What it tells.
  public let summary =
    "one state for the whole app, an action a frame at 60 a second, saved after each or debounced"
  /// Reducing an action; saving the menu; saving cart and screen; each action's latency from when it
  /// was due, with the share of frames missed meanwhile; and reducing and saving the menu together,
  /// divided by the actions of a pass.
  public let phases = [
    Phase("reduce"), Phase("save"), Phase("save-session"), Phase("latency"), Phase("per-action"),
  ]
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
    let (backend, first) = (site.backend, site.fixture.document)
    let file = SmallFile<AppState.Session>("session.json", beside: site.surroundings.store)
    try file.remove()
    var state = AppState(menu: first)
    try play(plan, &state, file, on: site)
    try check(backend.whole(), try file.read(), against: state, site.care)
    try backend.prepare(first)
    try backend.write(backend.encode(first))
  }

  private func play<B: Backend, Clock: WallClock>(
    _ plan: DispatchPlan, _ state: inout AppState, _ file: SmallFile<AppState.Session>,
    on site: WorkSite<B, Clock>
  ) throws where B.Document == Menu {
    let (backend, recorder) = (site.backend, site.recorder)
    var (thread, ofBackend) = (MainThread(), 0.0)
    for frame in plan.frames {
      site.surroundings.beat()
      if let action = frame.action { try site.measure(Self.reduce) { try state.reduce(action) } }
      if frame.saves {
        try site.measure(Self.save) { try backend.write(backend.encode(state.menu)) }
        try site.measure(Self.saveSession) { try file.write(state.session) }
      }
      let done = (frame.action == nil ? [] : [Self.reduce]) + (frame.saves ? [Self.save] : [])
      let cost = done.compactMap(recorder.lastWall).reduce(0, +)
      let beside = frame.saves ? recorder.lastWall(Self.saveSession) ?? 0 : 0
      let latency = thread.work(due: frame.due, cost: cost + beside)
      if frame.action != nil { recorder.note(latency, of: .wall, phase: Self.latency) }
      ofBackend += cost
    }
    recorder.note(ofBackend / Double(actions), of: .wall, phase: Self.perAction)
    if let share = thread.missedShare {
      recorder.note(share, of: .missedFrames, phase: Self.latency)
    }
  }

  private func check(
    _ kept: Menu, _ session: AppState.Session, against state: AppState, _ care: Care
  ) throws {
    let lost = state.menu.revision &- kept.revision
    if lost > 0 {
      throw WorkloadFailure("the last \(lost) of \(actions) actions are not in what is stored")
    }
    try Fixture(state.menu).check(kept, care, "the menu stored after the actions")
    guard session != state.session else { return }
    let place = firstDifference(state.session, session) ?? "some part"
    throw WorkloadFailure("cart or screen stored beside the menu are not the last ones: \(place)")
  }

  private static let reduce = 0
  private static let save = 1
  private static let saveSession = 2
  private static let latency = 3
  private static let perAction = 4
}
