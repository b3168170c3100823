import BenchResults

/// What an app needs of its backend, as weights on what is measured.
public struct Need: Hashable, Sendable {
  /// What is typed after `--for`.
  public let id: String
  /// Who has it, in one line.
  public let summary: String
  /// What counts, and how much.
  public let weights: [Weight]

  /// Names what counts.
  public init(id: String, summary: String, weights: [Weight]) {
    self.id = id
    self.summary = summary
    self.weights = weights
  }
}

/// What a storage is chosen by.
public struct Criteria: Hashable, Sendable {
  /// The need's id, where one was named.
  public var need: String?
  /// What counts, and how much.
  public var weights: [Weight]
  /// The promises that a storage must make.
  public var required: [String]
  /// Whether what keeps nothing may be recommended, too.
  public var takesVolatile: Bool

  /// Asks a question.
  public init(
    need: String? = nil, weights: [Weight], required: [String] = [], takesVolatile: Bool = false
  ) {
    self.need = need
    self.weights = weights
    self.required = required
    self.takesVolatile = takesVolatile
  }
}

/// A cost of a workload by which storages are chosen: one phase, or phases of one pass added up.
///
/// A workload may have phases that decide nothing: the start of a process is the same for every
/// storage, and a simulated network waits the same for all.
public struct DecidingCost: Hashable, Sendable {
  /// What it is called beside its workload: `save` of `roundtrip/save`.
  public let name: String
  /// The phases whose times are added, pass by pass.
  public let phases: [String]

  init(_ name: String, _ phases: [String]? = nil) {
    self.name = name
    self.phases = phases ?? [name]
  }

  /// What decides of a workload that has these phases: as listed, or every phase by itself where the
  /// workload is not listed or has none of the phases listed.
  public static func all(of workload: String, phases: [String]) -> [DecidingCost] {
    let found = listed[name(of: workload)]?.filter { Set($0.phases).isSubset(of: phases) } ?? []
    return found.isEmpty ? phases.map { DecidingCost($0) } : found
  }

  /// A workload's name without its settings: `patch` of `patch:changes=100`.
  public static func name(of workload: String) -> String { String(workload.prefix { $0 != ":" }) }

  private static let listed: [String: [DecidingCost]] = [
    "roundtrip": [
      DecidingCost("save", ["encode", "write"]), DecidingCost("load", ["read", "decode"]),
    ],
    "first-menu": [DecidingCost("first-screen"), DecidingCost("whole-menu")],
    "launch-flow": [DecidingCost("after-network")],
    "product": [
      DecidingCost("product"), DecidingCost("property"), DecidingCost("cold-product"),
    ],
    "patch": [DecidingCost("update", ["apply", "visible"])],
    "replace": [DecidingCost("replace")],
    "contention": [DecidingCost("read-p99"), DecidingCost("replace")],
    // A step as users go it, two at once, and back; the second step is the first one once more.
    "upgrade": [DecidingCost("to-2"), DecidingCost("1-to-3"), DecidingCost("back")],
    "offline": [DecidingCost("edit"), DecidingCost("edit-whole"), DecidingCost("merge")],
    "dual-write": [
      DecidingCost("copy"), DecidingCost("write-both"), DecidingCost("compare"),
      DecidingCost("switch-back"),
    ],
    "dispatch": [DecidingCost("per-action")],
  ]
}

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
