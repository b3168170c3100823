import BackendKit
import BenchEngine
import BenchProbes
import BenchResults
import MenuModel

/// `first-menu`: what stands between an app's launch and its menu.
///
/// The first screen is every category, every product of the first category that has any, and the
/// first six combos, resolved: all of it used. It is read by the backend's own route where it has one,
/// else the whole menu is read for it.
package struct FirstMenuWorkload: ColdWorkload {
  package let name = "first-menu"
  package let summary = """
    from a fresh process, its file not cached, to the first screen's data and to the whole menu; to \
    the first screen after a crash; the first decode of a process against its tenth
    """
  /// Two from the moment at which a fresh process may open its store (`whole-menu` goes on where
  /// `first-screen` ends); the first again where the last process was killed right after it had saved, so
  /// that a log may have to be recovered; the same screen read in a warm process; a fresh process's own
  /// start; and in others the first reading and decoding of a whole menu, and the tenth.
  package let phases: [Phase] = [
    .firstScreen, .wholeMenu, .screenAfterCrash, .warmScreen, .start, .firstDecode, .tenthDecode,
  ]
  /// Thirty that see the first screen, enough for a median of one block; three that decode ten times,
  /// which takes long; three that save and are killed, and three that see the screen then.
  package let coldStarts = 39
  /// Peaks of memory hardly differ.
  package let residentStarts = 3

  package init() {}

  package var beginsStored: Bool { true }
  /// All but that of the warm process.
  package var coldPhases: [Phase] { phases.filter { $0 != .warmScreen } }

  /// There must be something for another process to find.
  package func refusal(of backend: BackendEntry<Menu>) -> String? {
    backend.survivesRestart ? nil : "\(backend.id) keeps nothing for a fresh process"
  }

  /// The checksums that everything read must have.
  package struct Plan: Sendable {
    let screen: String
    let menu: String

    fileprivate func checkScreen(_ found: String) throws {
      guard found == screen else {
        throw WorkloadFailure("the first screen is read back with another content than was stored")
      }
    }
  }

  /// The checksums of a menu's first screen and of all of it.
  package func plan(for menu: Menu) throws -> Plan {
    Plan(
      screen: "\(Checksum(of: menu.firstScreen().visit))", menu: "\(menu.fingerprint)")
  }

  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    [.firstScreen, .screenAfterCrash, .warmScreen].contains(phase)
      ? MenuAccess(backend).firstScreenRoute : nil
  }

  /// Reads the first screen in this process, as an app in use does that shows it again.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws {
    let access = MenuAccess(site.backend)
    let screen = try site.measure(.warmScreen) { try access.firstScreen() }
    let checksum = Checksum(of: screen.visit)
    try plan.checkScreen("\(checksum)")
    site.note(Double(checksum.bytes), of: .usefulBytes, .warmScreen)
  }

  /// Of thirteen one decodes ten times, one saves and is killed, the next sees the first screen after
  /// that, and the others see it: of each kind there is one among the first six.
  package func order(_ number: Int, by plan: Plan) -> [Int] {
    switch number % 13 {
    case 3: Self.decoding
    case 4: Self.saving
    case 5: Self.recovering
    default: Self.seeing
    }
  }

  /// Those that see the first screen. All ten decodes of a process find their pages: what is asked of
  /// them is what the process has yet to warm up, not the drive.
  package func meetsNoCachedPages(_ order: [Int]) -> Bool {
    [Self.seeing, Self.recovering].contains(order)
  }

  /// Those that save.
  package func dies(after order: [Int]) -> Bool { order == Self.saving }

  private static let seeing = [0]
  private static let decoding = [1]
  private static let saving = [2]
  private static let recovering = [3]
  /// The last of them is the tenth.
  private static let decodes = 10

  /// Opens the store and sees the first screen, or decodes the whole menu ten times, or saves.
  package func work(_ order: [Int], on site: ColdSite<Menu>) throws -> FirstMenuFinding {
    let backend = try site.open()
    guard order != Self.saving else {
      // Never released: that would close the store.
      _ = Unmanaged.passRetained(backend as AnyObject)
      return try FirstMenuFinding(saving: backend)
    }
    let finding =
      order == Self.decoding
      ? try FirstMenuFinding(decoding: backend, Self.decodes, on: site)
      : try FirstMenuFinding(seeing: backend, on: site)
    try backend.close()
    return finding
  }

  /// Times and peaks, once the checksums are those of what was stored.
  package func notes(
    of finding: FirstMenuFinding, _ order: [Int], by plan: Plan
  ) throws -> [PhaseNote] {
    try finding.screen.map { try plan.checkScreen($0.checksum) }
    guard finding.menus == [plan.menu] else {
      throw WorkloadFailure("the menu that a fresh process reads differs from what was stored")
    }
    if order == Self.decoding { return try notes(of: finding.decodes) }
    if order == Self.saving { return [] }
    guard let screen = finding.screen, let whole = finding.whole else {
      throw WorkloadFailure("a fresh process saw no first screen")
    }
    guard order != Self.recovering else { return notes(of: screen.moment, .screenAfterCrash) }
    return notes(of: screen.moment, .firstScreen) + notes(of: whole, .wholeMenu)
  }

  private func notes(of moment: FirstMenuFinding.Moment, _ phase: Phase) -> [PhaseNote] {
    [PhaseNote(phase, Double(moment.elapsed))]
      + [moment.peak].compactMap(\.self).map { PhaseNote(phase, Double($0), .peakRSSBytes) }
  }

  private func notes(of decodes: [UInt64]) throws -> [PhaseNote] {
    guard decodes.count == Self.decodes else {
      throw WorkloadFailure("a fresh process decoded \(decodes.count) times, not \(Self.decodes)")
    }
    return [
      PhaseNote(.firstDecode, Double(decodes[0])),
      PhaseNote(.tenthDecode, Double(decodes[decodes.count - 1])),
    ]
  }
}

extension Phase {
  fileprivate static let firstScreen = Phase("first-screen", decides: true)
  fileprivate static let wholeMenu = Phase("whole-menu", decides: true)
  fileprivate static let screenAfterCrash = Phase("screen-after-crash")
  fileprivate static let warmScreen = Phase("warm-screen", isPart: true)
  fileprivate static let firstDecode = Phase("first-decode")
  fileprivate static let tenthDecode = Phase("tenth-decode")
}

package struct FirstMenuFinding: Codable, Sendable {
  /// The first screen, and when it was there.
  var screen: Screen?
  /// When the whole menu was there too.
  var whole: Moment?
  /// What each reading and decoding of the whole menu took, in nanoseconds.
  var decodes: [UInt64] = []
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
    // An app that has read the menu for its first screen has it.
    let menu = access.firstScreenRoute == .native ? nil : try backend.whole()
    let found = try menu?.firstScreen() ?? access.firstScreen()
    let seen = Moment(elapsed: site.elapsed, peak: PeakMemory.read())
    screen = Screen(checksum: "\(Checksum(of: found.visit))", moment: seen)
    let resumed = site.elapsed
    let known = try menu ?? backend.whole()
    whole = Moment(elapsed: seen.elapsed + site.elapsed - resumed, peak: PeakMemory.read())
    menus = ["\(known.fingerprint)"]
  }

  /// Saves another revision of the menu, then the menu itself.
  init(saving backend: some Backend<Menu>) throws {
    let menu = try backend.whole()
    menus = ["\(menu.fingerprint)"]
    try backend.save(menu.revised(1))
    try backend.save(menu)
  }

  /// Reads and decodes the whole menu again and again.
  init(decoding backend: some Backend<Menu>, _ times: Int, on site: ColdSite<Menu>) throws {
    for _ in 0..<times {
      try backend.dropCaches()
      let start = site.elapsed
      let menu = try backend.whole()
      decodes.append(site.elapsed - start)
      menus.insert("\(menu.fingerprint)")
    }
  }
}
