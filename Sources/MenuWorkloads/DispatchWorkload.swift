import BackendKit
import BenchEngine
import BenchProbes
import BenchResults
import MenuModel

/// `dispatch`: a unidirectional store with one state for the whole app. It receives an action per
/// frame. It saves after each action or, debounced, when the actions end.
///
/// The state is the menu, a cart and a screen. Only changes of the menu are saved: as a patch if
/// the backend takes patches, otherwise as a whole menu. Cart and screen are saved in a small JSON
/// file next to the store, the same for every backend.
///
/// Actions are due at 60 a second (16.7 ms a frame) in simulated time. Each waits for the earlier
/// work of the single thread, whose costs are measured. The workload itself does not wait.
package struct DispatchWorkload: Workload {
  package let name = "dispatch"
  package let summary =
    "one state for the app, an action per frame at 60 per second, saved after each or debounced"
  /// Reducing an action. Saving the menu's changes, and the share of a checkpoint that this causes
  /// if the store keeps a log. Saving cart and screen. Each action's latency from its due time,
  /// with the share of missed frames. Reducing and saving the menu together, per action. A whole
  /// checkpoint.
  package let phases: [Phase] = [
    .reduce, .save, .checkpointShare, .saveSession, .latency, .perAction, .checkpoint,
  ]
  /// The app has started, so its menu is stored.
  package let beginsStored = true
  /// One iteration handles many actions.
  package let leastSamples = 1

  var actions = 20
  var debounce = 0

  package static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter("actions", \.actions, in: 1...10_000, standard: 20, "actions in a row"),
      WorkloadParameter(
        "debounce", \.debounce, in: 0...60_000, standard: 0,
        "milliseconds without an action before a save, 0 to save after each"),
    ]
  }
  /// Saves after each action, or when they end.
  package static var variants: [String] { ["", "debounce=500"] }

  package init() {}

  /// Returns the backend's own route for patches, or the whole menu.
  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    guard phase == .save || phase == .perAction else { return nil }
    return MenuAccess(backend).patchRoute
  }

  package func plan(for menu: Menu) throws -> DispatchPlan {
    DispatchPlan(
      try DispatchPlan.actions(actions, on: menu, seed: 60), debounce: debounce)
  }

  /// Plays the frames. The store must then have the state that the actions led to. Then stores the
  /// first menu again.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: DispatchPlan
  ) throws {
    let (backend, first) = (site.backend, site.fixture.document)
    let file = SmallFile<AppState.Session>("session.json", beside: site.surroundings.store)
    try file.remove()
    var state = AppState(menu: first)
    let log = try logCycle(plan, on: site)
    try play(plan, &state, file, log, on: site)
    try log?.end()
    try check(backend.whole(), file, against: state, byValue: site.isWarmUp)
    try backend.save(first)
  }

  /// Returns a log filled by the actions' own changes, made and undone. Restores the first menu.
  private func logCycle<B: Backend<Menu>, Clock: WallClock>(
    _ plan: DispatchPlan, on site: WorkSite<B, Clock>
  ) throws -> LogCycle? {
    let (first, patches) = (site.fixture.document, plan.patches)
    guard !patches.isEmpty else { return nil }
    let steps = patches + patches.map { $0.undone(in: first) }
    let access = MenuAccess(site.backend)
    var menu = first
    let log = try LogCycle(on: site) { turn in
      try menu.apply(steps[turn % steps.count])
      try access.store(steps[turn % steps.count], making: menu)
    }
    if menu != first { try site.backend.save(first) }
    return log
  }

  private func play<B: Backend<Menu>, Clock: WallClock>(
    _ plan: DispatchPlan, _ state: inout AppState, _ file: SmallFile<AppState.Session>,
    _ log: LogCycle?, on site: WorkSite<B, Clock>
  ) throws {
    let access = MenuAccess(site.backend)
    var (thread, ofBackend, unsaved) = (MainThread(), 0.0, MenuPatch(revision: 0))
    for frame in plan.frames {
      site.surroundings.heartbeat()
      if let action = frame.action {
        unsaved.add(try site.measure(.reduce) { try state.reduce(action) })
      }
      let savesMenu = frame.saves && !unsaved.isEmpty
      if savesMenu {
        try log?.begin()
        try site.measure(.save) { try access.store(unsaved, making: state.menu) }
        ofBackend += log?.charge(.checkpointShare, on: site) ?? 0
        unsaved = MenuPatch(revision: 0)
      }
      if frame.saves { try site.measure(.saveSession) { try file.write(state.session) } }
      let done: [Phase] = (frame.action == nil ? [] : [.reduce]) + (savesMenu ? [.save] : [])
      let cost = done.compactMap(site.lastWall).reduce(0, +)
      let beside = frame.saves ? site.lastWall(.saveSession) ?? 0 : 0
      let latency = thread.work(due: frame.due, cost: cost + beside)
      if frame.action != nil { site.note(latency, .latency) }
      ofBackend += cost
    }
    if plan.patches.isEmpty { site.skip(.save, because: "no action changes the menu") }
    site.note(ofBackend / Double(actions), .perAction)
    if let share = thread.missedShare {
      site.note(share, of: .missedFrames, .latency)
    }
  }

  private func check(
    _ kept: Menu, _ file: SmallFile<AppState.Session>, against state: AppState, byValue: Bool
  ) throws {
    let lost = state.menu.revision &- kept.revision
    if lost > 0 {
      throw WorkloadFailure("changes missing at the end of the stored menu: \(lost)")
    }
    try Fixture(state.menu).check(kept, byValue: byValue, "the menu stored after the actions")
    try file.check(
      holds: state.session, orElse: "the cart or screen stored with the menu is not the last one")
  }
}

extension Phase {
  fileprivate static let reduce = Phase("reduce")
  fileprivate static let save = Phase("save")
  fileprivate static let checkpointShare = LogCycle.share(of: nil)
  fileprivate static let saveSession = Phase("save-session")
  fileprivate static let latency = Phase("latency")
  fileprivate static let perAction = Phase("per-action", decides: true, saves: true)
}

/// The events of each frame, computed in advance so that nothing waits for a clock.
package struct DispatchPlan: Sendable {
  var frames: [Frame]

  struct Frame: Hashable, Sendable {
    /// The due time since the first action, in the ticks of ``MainThread``.
    var due: Int
    var action: AppAction?
    var saves: Bool
  }

  /// The patches that are saved, in order.
  var patches: [MenuPatch] {
    var (saved, unsaved): ([MenuPatch], MenuPatch) = ([], MenuPatch(revision: 0))
    for frame in frames {
      unsaved.add(frame.action?.patch(revision: saved.count + 1))
      guard frame.saves, !unsaved.isEmpty else { continue }
      saved.append(unsaved)
      unsaved = MenuPatch(revision: 0)
    }
    return saved
  }

  /// Plans one action per frame. The state is saved in the same frame or, debounced, in a frame of
  /// its own after that many milliseconds without an action. The last action is always saved.
  init(_ actions: [AppAction], debounce: Int) {
    let rest = debounce * 1_000_000 * MainThread.ticks
    frames = actions.enumerated().flatMap { index, action in
      let due = index * MainThread.frame
      let act = Frame(due: due, action: action, saves: rest == 0)
      let isLater = rest > 0 && (rest <= MainThread.frame || index == actions.count - 1)
      return isLater ? [act, Frame(due: due + rest, action: nil, saves: true)] : [act]
    }
  }

  /// Draws actions of a customer and a server with a seed. On average, of ten actions four show
  /// another screen, four change the cart, one a price, and one an availability.
  ///
  /// - Throws: ``WorkloadFailure`` if the menu has nothing to order.
  static func actions(_ count: Int, on menu: Menu, seed: UInt64) throws -> [AppAction] {
    let products = menu.products.filter { !$0.variants.isEmpty }
    guard !products.isEmpty else { throw WorkloadFailure("the menu has no product to act on") }
    var random = SplitMix64(seed: seed)
    var chosen: [Int] = []
    return (0..<count).map { _ in
      let product = products[random.below(products.count)]
      let variant = product.variants[random.below(product.variants.count)]
      switch random.below(10) {
      case 0, 1: return .open(.product(product.id))
      case 2: return .open(.menu)
      case 3: return .open(.cart)
      case 4, 5, 6:
        chosen.append(variant.id)
        return .add(productID: product.id, variantID: variant.id)
      case 7: return .remove(variantID: chosen.last ?? variant.id)
      case 8: return .reprice(variantID: variant.id, price: random.within(1...1_000) * 100)
      default:
        let all = Product.Availability.allCases
        return .offer(productID: product.id, all[random.below(all.count)])
      }
    }
  }
}

/// The single state of an app: the menu, the cart, and the screen.
struct AppState: Hashable, Sendable {
  /// The menu. Its revision grows with every change.
  var menu: Menu
  /// The part of the state that is saved next to the menu.
  var session = Session()

  struct Session: Codable, Hashable, Sendable {
    /// The customer's choices, in that order.
    var cart: [CartLine] = []
    var screen = Screen.menu

    fileprivate mutating func reduce(_ action: AppAction) {
      switch action {
      case .open(let next): screen = next
      case .add(let product, let variant):
        if let line = cart.firstIndex(where: { $0.variantID == variant }) {
          cart[line].count += 1
        } else {
          cart.append(CartLine(productID: product, variantID: variant, count: 1))
        }
      case .remove(let variant):
        guard let line = cart.firstIndex(where: { $0.variantID == variant }) else { return }
        cart[line].count -= 1
        if cart[line].count == 0 { cart.remove(at: line) }
      case .offer(let product, let availability):
        if availability != .available { cart.removeAll { $0.productID == product } }
      case .reprice: break
      }
    }
  }

  struct CartLine: Codable, Hashable, Sendable {
    var productID: Int
    var variantID: Int
    var count: Int
  }

  enum Screen: Codable, Hashable, Sendable {
    case menu
    case product(Int)
    case cart
  }

  /// Applies an action. The same state and action always give the same result.
  ///
  /// - Returns: the menu's change, or nil if there is none.
  /// - Throws: `UnknownPatchTarget` if the action names something that the menu lacks, which leaves
  ///   the state unchanged.
  @discardableResult
  mutating func reduce(_ action: AppAction) throws(UnknownPatchTarget) -> MenuPatch? {
    let patch = action.patch(revision: menu.revision &+ 1)
    if let patch { try menu.apply(patch) }
    session.reduce(action)
    return patch
  }
}

enum AppAction: Hashable, Sendable {
  /// The customer goes to a screen.
  case open(AppState.Screen)
  /// The customer puts one more into the cart.
  case add(productID: Int, variantID: Int)
  /// The customer takes one out of the cart, if there is one.
  case remove(variantID: Int)
  /// The server changes a price.
  case reprice(variantID: Int, price: Int)
  /// The server changes whether a product can be ordered. If it can't, it leaves the cart.
  case offer(productID: Int, Product.Availability)

  /// Returns the action's change of the menu, or nil if there is none.
  func patch(revision: Int) -> MenuPatch? {
    switch self {
    case .open, .add, .remove: nil
    case .reprice(let id, let price):
      MenuPatch(revision: revision, prices: [.init(variantID: id, price: price)])
    case .offer(let id, let availability):
      MenuPatch(
        revision: revision, availability: [.init(productID: id, availability: availability)])
    }
  }
}

extension MenuPatch {
  fileprivate var isEmpty: Bool { prices.isEmpty && availability.isEmpty }

  mutating func add(_ later: MenuPatch?) {
    guard let later else { return }
    revision = later.revision
    prices += later.prices
    availability += later.availability
    stops += later.stops
  }

  /// Returns a patch that undoes this one by setting a menu's values. Its revision differs.
  fileprivate func undone(in menu: Menu) -> MenuPatch {
    let before = Dictionary(
      menu.products.flatMap(\.variants).map { ($0.id, $0.price) },
      uniquingKeysWith: { first, _ in first })
    let offered = Dictionary(
      menu.products.map { ($0.id, $0.availability) }, uniquingKeysWith: { first, _ in first })
    return MenuPatch(
      revision: -revision,
      prices: prices.map {
        .init(variantID: $0.variantID, price: before[$0.variantID] ?? $0.price)
      },
      availability: availability.map {
        .init(
          productID: $0.productID, availability: offered[$0.productID] ?? $0.availability)
      })
  }
}

/// An app's single thread for actions and drawing, in simulated time. Work that comes due while the
/// thread is busy waits, and delays later work.
///
/// A benchmark that times one piece of work after another never sees such waits. A tick is a 60th
/// of a nanosecond, so that a frame at 60 a second is a whole number of ticks.
struct MainThread {
  /// The ticks of a nanosecond.
  static let ticks = 60
  /// The ticks of a frame: 16.7 ms.
  static let frame = 1_000_000_000

  /// The number of frames that ended while it was at work, so that nothing was drawn in time.
  private(set) var missed = 0
  private var free = 0

  /// The number of frames until all work was done.
  var frames: Int { (free + Self.frame - 1) / Self.frame }

  /// The share of missed frames in percent, or nil if there were no frames.
  var missedShare: Double? { frames == 0 ? nil : Double(missed) / Double(frames) * 100 }

  /// Does a piece of work as soon as it is due and the thread is free.
  ///
  /// - Parameters:
  ///   - due: the due time, in ticks.
  ///   - cost: the cost, in nanoseconds.
  /// - Returns: the nanoseconds from the due time until the work was done.
  mutating func work(due: Int, cost: Double) -> Double {
    let start = max(due, free)
    free = start + Int((cost * Double(Self.ticks)).rounded())
    missed += max((free - 1) / Self.frame - start / Self.frame, 0)
    return Double(free - due) / Double(Self.ticks)
  }
}
