import Foundation

/// What one look saw of one row.
struct RowLook: Sendable {
  /// How many of the first pairs it took.
  var pairs: Int
  /// What they say; nil where one has no ratio.
  var evidence: LogRatio?
  var floor: EffectFloor
  /// Whether the cell's control had moved for real.
  var drift: Drift?
  /// Adjusted for all rows and looks.
  var adjustedP = 1.0

  /// Whether the row is suspected of an effect.
  var isSuspicious: Bool {
    evidence.map { !isAdrift && Judge.flags($0, adjustedP: adjustedP, floor) } ?? false
  }

  /// Whether the row is known to hold no effect that matters.
  var isSettled: Bool { evidence.map { !isAdrift && Judge.settles($0, floor) } ?? false }

  private var isAdrift: Bool { drift?.isReal ?? false }
}

/// One row on its way through the looks.
struct ScreenedRow: Sendable {
  enum State: Sendable { case open, unchanged, suspected }

  let source: PairedRow
  /// The looks in which the row took part: all while it was open.
  var looks: [RowLook] = []
  var state = State.open
  /// The probability that it brings into the family: that of the look at which it was decided; 1 of
  /// an open row that did not reach the look.
  var p = 1.0
}

/// One cell on its way through the looks.
struct ScreenedCell: Sendable {
  let source: PairedCell
  var rows: [ScreenedRow]
  /// How many pairs its last look took; nil before the first.
  var screened: Int?
  /// How far its control had moved by then; nil without a control.
  var drift: Drift?

  init(_ source: PairedCell) {
    self.source = source
    rows = source.rows.map { ScreenedRow(source: $0) }
  }

  /// Whether the next look needs more of it. At the first one every cell is open: nothing is known
  /// of its rows before.
  var isOpen: Bool { screened == nil || rows.contains { $0.state == .open } }

  var isSuspected: Bool { rows.contains { $0.state == .suspected } }

  /// Takes the evidence of the first pairs into every open row.
  mutating func take(_ pairs: Int) {
    screened = pairs
    drift = source.control?.evidence(0..<pairs).map { Drift($0) }
    for index in rows.indices where rows[index].state == .open {
      let row = rows[index].source
      let look = RowLook(
        pairs: pairs, evidence: row.evidence(0..<pairs),
        floor: EffectFloor(noise: 0, tolerance: row.tolerance), drift: drift)
      rows[index].looks.append(look)
      rows[index].p = look.evidence?.p ?? 1
    }
  }
}
