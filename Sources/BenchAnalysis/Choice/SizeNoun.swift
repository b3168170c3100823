import BenchResults

/// What the sizes of a run's menus are counted in.
struct SizeNoun {
  /// In the plural: `slot options`, or `things in all` where a menu has none.
  let text: String

  /// What combos cost grows with their slots' options, which are most of a real menu.
  private static let usual = "slot options"

  /// Finds what all of them can be counted in.
  init(of menus: [MenuInfo]) {
    let haveIt = menus.allSatisfy { $0.counts.contains { $0.of == Self.usual && $0.count > 0 } }
    text = haveIt ? Self.usual : "things in all"
  }

  /// How many of them a menu has.
  func size(of menu: MenuInfo) -> Double {
    let counts = text == Self.usual ? menu.counts.filter { $0.of == text } : menu.counts
    return Double(counts.reduce(0) { $0 + $1.count })
  }
}
