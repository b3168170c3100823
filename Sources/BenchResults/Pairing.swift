/// What makes two records the two sides of one gate, whose blocks were measured in pairs.
///
/// Block i of a series of one side was measured right beside block i of the other side's.
public struct Pairing: Hashable, Codable, Sendable {
  /// The same in both records, and in no others.
  public var id: String
  /// Which of the two this record is.
  public var side: Side
  /// The executable that measured this side.
  public var executable: String
  /// The git revision that the executable was built from; nil if unknown.
  public var revision: String?
  /// When the verdicts were to be drawn.
  public var looks: LookPlan
  /// What was injected into this side to try the gate, in words; nil for nothing.
  public var injection: String?

  package init(
    id: String, side: Side, executable: String, revision: String?, looks: LookPlan,
    injection: String? = nil
  ) {
    self.id = id
    self.side = side
    self.executable = executable
    self.revision = revision
    self.looks = looks
    self.injection = injection
  }

  /// One of the two programs that a gate compares.
  public enum Side: String, Codable, Sendable, CaseIterable {
    case baseline
    case candidate
  }
}

/// After how many pairs of blocks a gate looks at its data: planned before the first is measured,
/// since looking until something shows is not evidence.
public struct LookPlan: Hashable, Codable, Sendable {
  /// Pairs of blocks that a cell has at each look, ascending; the last is the cap.
  public var screening: [Int]
  /// Fresh pairs of blocks that must agree before a suspicion becomes a verdict.
  public var confirmation: Int
  /// The last look that was held before time ran out, in pairs: what a cell has beyond it is fresh. Nil
  /// where no look was given up.
  public var ended: Int?

  /// Makes a plan; the defaults find +5 % of a block sd of 2 % at the first look in most cases. Fresh
  /// pairs are more than a first look has: a hiccup or two among 12 would undo a true suspicion.
  public init(screening: [Int] = [12, 20, 32], confirmation: Int = 20, ended: Int? = nil) {
    self.screening = screening
    self.confirmation = confirmation
    self.ended = ended
  }
}
