/// Marks a record as one of the two sides of a gate, whose blocks were measured in pairs.
///
/// Block i of a series on one side was measured right next to block i of the same series on the other.
package struct Pairing: Hashable, Codable, Sendable, RecordPart {
  /// The same in both records of a gate, and in no others.
  package var id: String
  package var side: Side
  package var executable: String
  /// The git revision that the executable was built from, or nil if unknown.
  package var revision: String?
  /// The planned interim analyses.
  package var looks: InterimPlan
  /// The change that was injected into this side to test the gate, in words, or nil for none.
  package var injection: String?

  package init(
    id: String, side: Side, executable: String, revision: String?, looks: InterimPlan
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

/// The interim analyses of a gate, in pairs of blocks. They are planned before the first block is
/// measured, because looking until something shows is not evidence.
package struct InterimPlan: Hashable, Codable, Sendable {
  /// The pairs of blocks that a cell has at each interim analysis, ascending; the last is the cap.
  package var screening: [Int]
  /// The fresh pairs of blocks that a suspected cell gets before all its pairs are judged.
  package var confirmation: Int
  /// The pairs at the last interim analysis before time ran out: later pairs are fresh. Nil if no
  /// analysis was given up.
  package var ended: Int?

  /// Makes a plan. The defaults find +5 % in three of four gates at a block sd of 6 % (`GateRateTests`).
  package init(screening: [Int] = [12, 20, 36], confirmation: Int = 20, ended: Int? = nil) {
    self.screening = screening
    self.confirmation = confirmation
    self.ended = ended
  }
}
