/// What makes two records the two sides of one gate, whose blocks were measured in pairs.
///
/// Block i of a series of one side was measured right beside block i of the other side's.
package struct Pairing: Hashable, Codable, Sendable, RecordPart {
  /// The same in both records, and in no others.
  package var id: String
  package var side: Side
  package var executable: String
  /// The git revision that the executable was built from; nil if unknown.
  package var revision: String?
  /// When the verdicts were to be drawn.
  package var looks: LookPlan
  /// What was injected into this side to try the gate, in words; nil for nothing.
  package var injection: String?

  package init(
    id: String, side: Side, executable: String, revision: String?, looks: LookPlan
  ) {
    self.id = id
    self.side = side
    self.executable = executable
    self.revision = revision
    self.looks = looks
  }

  /// One of the two programs that a gate compares.
  package enum Side: String, Codable, Sendable, CaseIterable {
    case baseline
    case candidate
  }
}

/// After how many pairs of blocks a gate looks at its data: planned before the first is measured,
/// since looking until something shows is not evidence.
package struct LookPlan: Hashable, Codable, Sendable {
  /// Pairs of blocks that a cell has at each look, ascending; the last is the cap.
  package var screening: [Int]
  /// Fresh pairs of blocks that must agree before a suspicion becomes a verdict.
  package var confirmation: Int
  /// The last look that was held before time ran out, in pairs: what a cell has beyond it is fresh. Nil
  /// where no look was given up.
  package var ended: Int?

  /// Makes a plan; the defaults find +5 % of a block sd of 2 % at the first look in most cases. Fresh
  /// pairs are more than a first look has: a hiccup or two among 12 would undo a true suspicion.
  package init(screening: [Int] = [12, 20, 32], confirmation: Int = 20, ended: Int? = nil) {
    self.screening = screening
    self.confirmation = confirmation
    self.ended = ended
  }
}
