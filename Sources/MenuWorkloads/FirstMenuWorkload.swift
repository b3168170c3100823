import BackendKit
import BenchEngine
import BenchProbes
import BenchResults
import MenuModel

/// `first-menu`: the time between an app's launch and its menu.
///
/// The first screen is every category, and a card (name, text, price and picture) for every product
/// of the first category that has any and for the first six combos. It is read by the backend's own
/// route if there is one, and from the whole menu otherwise.
package struct FirstMenuWorkload: ColdWorkload {
  package let name = "first-menu"
  package let summary = """
    the first screen (also after a crash) and the whole menu in a fresh process with an uncached \
    file, and the first decode of a process against its tenth
    """
  /// The first two count from the moment at which a fresh process may open its store (`whole-menu`
  /// continues after `first-screen`). The first again after the last process was killed right after
  /// a save, so that a log may need recovery. The same screen read in a warm process. A fresh
  /// process's own start. In other processes, the first reading and decoding of a whole menu, and
  /// the tenth.
  package let phases: [Phase] = [
    .firstScreen, .wholeMenu, .screenAfterCrash, .warmScreen, .start, .firstDecode, .tenthDecode,
  ]
  /// Thirty see the first screen, enough for a median of one block. Three decode ten times, which
  /// takes long. Three save and are killed, and three see the screen after that.
  package let coldStarts = 39
  /// Few are enough, because peaks of memory hardly differ.
  package let residentStarts = 3

  package init() {}

  package var beginsStored: Bool { true }
  /// All phases except that of the warm process.
  package var coldPhases: [Phase] { phases.filter { $0 != .warmScreen } }

  /// Refuses a backend that keeps nothing for another process.
  package func refusal(of backend: BackendEntry<Menu>) -> String? {
    backend.survivesRestart ? nil : "\(backend.id) keeps nothing for a fresh process"
  }

  package struct Plan: Sendable {
    let screen: String
    let menu: String

    fileprivate func checkScreen(_ found: String) throws {
      guard found == screen else {
        throw WorkloadFailure("the first screen that is read back is not the stored one")
      }
    }
  }

  /// Returns the checksums of a menu's first screen and of the whole menu.
  package func plan(for menu: Menu) throws -> Plan {
    Plan(
      screen: "\(Checksum(of: menu.firstScreen().visit))", menu: "\(menu.fingerprint)")
  }

  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    [.firstScreen, .screenAfterCrash, .warmScreen].contains(phase)
      ? MenuAccess(backend).firstScreenRoute : nil
  }

  /// Reads the first screen in this process, as an app in use does to show it again.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws {
    let access = MenuAccess(site.backend)
    let screen = try site.measure(.warmScreen) { try access.firstScreen() }
    let checksum = Checksum(of: screen.visit)
    try plan.checkScreen("\(checksum)")
    site.note(Double(checksum.bytes), of: .usefulBytes, .warmScreen)
  }

  /// In every thirteen processes one decodes ten times, one saves and is killed, and the next sees
  /// the first screen then. The others see the first screen. Each kind is among the first six.
  package func order(_ number: Int, by plan: Plan) -> [Int] {
    switch number % 13 {
    case 3: Self.decoding
    case 4: Self.saving
    case 5: Self.recovering
    default: Self.seeing
    }
  }

  /// True for processes that see the first screen. Decoding finds cached pages, because it measures
  /// how the process warms up, not the drive.
  package func dropsPageCache(_ order: [Int]) -> Bool {
    [Self.seeing, Self.recovering].contains(order)
  }

  package func isKilled(after order: [Int]) -> Bool { order == Self.saving }

  private static let seeing = [0]
  private static let decoding = [1]
  private static let saving = [2]
  private static let recovering = [3]
  private static let decodes = 10

  /// Opens the store and sees the first screen, decodes the whole menu ten times, or saves.
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

  /// Checks the checksums, then returns times and peaks.
  package func notes(
    of finding: FirstMenuFinding, _ order: [Int], by plan: Plan
  ) throws -> [PhaseNote] {
    try finding.screen.map { try plan.checkScreen($0.checksum) }
    guard finding.menus == [plan.menu] else {
      throw WorkloadFailure("the menu that a fresh process reads is not the stored one")
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
  /// The first screen, and the moment at which it was there.
  var screen: Screen?
  /// The moment at which the whole menu was there too.
  var whole: Moment?
  /// The nanoseconds of each reading and decoding of the whole menu.
  var decodes: [UInt64] = []
  var menus: Set<String> = []

  struct Screen: Codable {
    var checksum: String
    var moment: Moment
  }

  /// The time and memory that the process had used at some point.
  struct Moment: Codable {
    /// Nanoseconds since the process began to work.
    var elapsed: UInt64
    /// The peak resident memory until then, in bytes. Nil if the system does not report it.
    var peak: Int?
  }
}

extension FirstMenuFinding {
  init(seeing backend: some Backend<Menu>, on site: ColdSite<Menu>) throws {
    let access = MenuAccess(backend)
    // An app that reads the whole menu for its first screen does not read it again.
    let menu = access.firstScreenRoute == .native ? nil : try backend.whole()
    let found = try menu?.firstScreen() ?? access.firstScreen()
    let seen = Moment(elapsed: site.elapsed, peak: PeakMemory.read())
    screen = Screen(checksum: "\(Checksum(of: found.visit))", moment: seen)
    let resumed = site.elapsed
    let known = try menu ?? backend.whole()
    whole = Moment(elapsed: seen.elapsed + site.elapsed - resumed, peak: PeakMemory.read())
    menus = ["\(known.fingerprint)"]
  }

  init(saving backend: some Backend<Menu>) throws {
    let menu = try backend.whole()
    menus = ["\(menu.fingerprint)"]
    try backend.save(menu.revised(1))
    try backend.save(menu)
  }

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
