import BenchProbes
import MenuModel
import PersistenceBackends

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
