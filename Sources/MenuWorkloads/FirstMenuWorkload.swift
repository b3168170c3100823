import BenchEngine
import BenchProbes
import BenchResults
import MenuModel
import PersistenceBackends

/// `first-menu`: what stands between an app's launch and its menu.
///
/// The first screen is every category, every product of the first category that has any, and the
/// first six combos, resolved: all of it used. It is read by the backend's own route where it has one,
/// else the whole menu is read for it.
public struct FirstMenuWorkload: ColdWorkload {
  /// `first-menu`.
  public let name = "first-menu"
  /// What it tells.
  public let summary = """
    from a fresh process, its file not cached, to the first screen's data and to the whole menu; the \
    first decode of a process against its tenth
    """
  /// Two from the moment at which a fresh process may open its store (`whole-menu` goes on where
  /// `first-screen` ends); the same screen read in a warm process; a fresh process's own start; and
  /// in others the first reading and decoding of a whole menu, and the tenth.
  public let phases = [
    Phase("first-screen", decides: true), Phase("whole-menu", decides: true),
    Phase("warm-screen", floor: .part), .start,
    Phase("first-decode"), Phase("tenth-decode"),
  ]
  /// Thirty that see the first screen, enough for a median of one block, and three that decode ten
  /// times, which takes long.
  public let coldStarts = 33
  /// Peaks of memory hardly differ.
  public let countedStarts = 3

  /// Makes the workload.
  public init() {}

  /// The menu is there.
  public var beginsStored: Bool { true }
  /// All but that of the warm process.
  public var coldPhases: [Phase] { phases.filter { $0.id != "warm-screen" } }

  /// There must be something for another process to find.
  public func refusal(of backend: BackendEntry<Menu>) -> String? {
    backend.survivesRestart ? nil : "\(backend.id) keeps nothing for a fresh process"
  }

  /// The checksums that everything read must have.
  public struct Plan: Sendable {
    /// Of the first screen.
    let screen: String
    /// Of the whole menu.
    let menu: String
  }

  /// The checksums of a menu's first screen and of all of it.
  public func plan(for menu: Menu) throws -> Plan {
    var screen = Checksum()
    menu.firstScreen().visit(&screen)
    return Plan(screen: "\(screen)", menu: "\(menu.fingerprint)")
  }

  /// By what the backend offers, or by the whole menu.
  public func route<B: Backend>(ofPhase phase: Int, on backend: B) -> Route?
  where B.Document == Menu { [0, 2].contains(phase) ? MenuAccess(backend).firstScreenRoute : nil }

  /// Reads the first screen in this process, which is warm.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws where B.Document == Menu {
    let access = MenuAccess(site.backend)
    try site.backend.dropCaches()
    var checksum = Checksum()
    try site.measure(2) { try access.firstScreen(into: &checksum) }
    try plan.checkScreen("\(checksum)")
  }

  /// 1 for those that decode ten times, each eleventh; 0 for those that see the first screen.
  public func order(_ number: Int, by plan: Plan) -> [Int] {
    number % 11 == 3 ? Self.decoding : Self.seeing
  }

  /// Those that see the first screen. All ten decodes of a process find their pages: what is asked of
  /// them is what the process has yet to warm up, not the drive.
  public func meetsNoCachedPages(_ order: [Int]) -> Bool { order != Self.decoding }

  private static let seeing = [0]
  private static let decoding = [1]
  /// The last of them is the tenth.
  private static let decodes = 10

  /// Opens the store and sees the first screen, or decodes the whole menu ten times.
  public func work(_ order: [Int], on site: ColdSite<Menu>) throws -> FirstMenuFinding {
    let backend = try site.open()
    let finding =
      order == Self.decoding
      ? try FirstMenuFinding(decoding: backend, Self.decodes, on: site)
      : try FirstMenuFinding(seeing: backend, on: site)
    try backend.close()
    return finding
  }

  /// Compares the checksums and notes times and peaks.
  public func take<Clock: WallClock>(
    _ finding: FirstMenuFinding, of order: [Int], by plan: Plan,
    into recorder: PhaseRecorder<Clock>
  ) throws {
    try finding.screen.map { try plan.checkScreen($0.checksum) }
    guard finding.menus == [plan.menu] else {
      throw WorkloadFailure("the menu that a fresh process reads differs from what was stored")
    }
    if order == Self.decoding { return try note(finding.decodes, in: recorder) }
    guard let screen = finding.screen, let whole = finding.whole else {
      throw WorkloadFailure("a fresh process saw no first screen")
    }
    for (phase, moment) in [screen.moment, whole].enumerated() {
      recorder.note(Double(moment.elapsed), of: .wall, phase: phase)
      if let peak = moment.peak { recorder.note(Double(peak), of: .peakRSSBytes, phase: phase) }
    }
  }

  private func note<Clock: WallClock>(
    _ decodes: [UInt64], in recorder: PhaseRecorder<Clock>
  ) throws {
    guard decodes.count == Self.decodes else {
      throw WorkloadFailure("a fresh process decoded \(decodes.count) times, not \(Self.decodes)")
    }
    recorder.note(Double(decodes[0]), of: .wall, phase: 4)
    recorder.note(Double(decodes[decodes.count - 1]), of: .wall, phase: 5)
  }
}

extension FirstMenuWorkload.Plan {
  fileprivate func checkScreen(_ found: String) throws {
    guard found == screen else {
      throw WorkloadFailure("the first screen is read back with another content than was stored")
    }
  }
}

/// What a fresh process found of a menu.
public struct FirstMenuFinding: Codable, Sendable {
  /// The first screen, and when it was there.
  var screen: Screen?
  /// When the whole menu was there too.
  var whole: Moment?
  /// What each reading and decoding of the whole menu took, in nanoseconds.
  var decodes: [UInt64] = []
  /// The fingerprints of the menus decoded.
  var menus: Set<String> = []

  struct Screen: Codable {
    var checksum: String
    var moment: Moment
  }

  /// How far the process had come.
  struct Moment: Codable {
    /// Nanoseconds since it began to work.
    var elapsed: UInt64
    /// The most resident memory until then, in bytes; nil where the system does not say.
    var peak: Int?
  }
}

extension FirstMenuFinding {
  /// Sees the first screen, then has the whole menu.
  init(seeing backend: some Backend<Menu>, on site: ColdSite<Menu>) throws {
    let access = MenuAccess(backend)
    var checksum = Checksum()
    var menu: Menu?
    if access.firstScreenRoute == .native {
      try access.firstScreen(into: &checksum)
    } else {
      let whole = try backend.decode(backend.read())
      whole.firstScreen().visit(&checksum)
      menu = whole
    }
    let seen = Moment(elapsed: site.elapsed, peak: PeakMemory.read())
    screen = Screen(checksum: "\(checksum)", moment: seen)
    // An app that has read the menu for its first screen has it.
    let resumed = site.elapsed
    let known = try menu ?? backend.decode(backend.read())
    whole = Moment(elapsed: seen.elapsed + site.elapsed - resumed, peak: PeakMemory.read())
    menus = ["\(known.fingerprint)"]
  }

  /// Reads and decodes the whole menu again and again.
  init(decoding backend: some Backend<Menu>, _ times: Int, on site: ColdSite<Menu>) throws {
    for _ in 0..<times {
      try backend.dropCaches()
      let start = site.elapsed
      let menu = try backend.decode(backend.read())
      decodes.append(site.elapsed - start)
      menus.insert("\(menu.fingerprint)")
    }
  }
}
