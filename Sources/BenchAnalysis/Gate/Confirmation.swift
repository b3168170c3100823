import BenchResults

/// The one look at fresh pairs of the suspected cells, when the screening is over.
///
/// The fresh pairs alone must agree: all suspects are one family of Holm's at the level 0.05. It is
/// held when every suspected cell has its fresh pairs, those apart that will get no more.
struct Confirmation: Sendable {
  /// One suspected row.
  struct Suspect: Sendable {
    var row: ScreenedRow
    /// What the fresh pairs say; nil where there are too few or one has no ratio.
    var look: RowLook?
    /// How many fresh pairs there are, of those needed.
    var fresh: Int
  }

  /// The suspects by key.
  private(set) var suspects: [Series.Key: Suspect] = [:]
  /// The cells without which the look cannot be held, and how many pairs each needs in all.
  private(set) var awaited: [Cell: Int] = [:]
  /// Whether the fresh pairs are all there, so that they may be looked at.
  private(set) var isHeld = false
  /// Fresh pairs needed.
  let need: Int

  init(_ screening: Screening, plan: LookPlan) {
    need = plan.confirmation
    guard screening.awaited.isEmpty else { return }
    for cell in screening.cells where cell.isSuspected { add(cell, noise: screening.noise) }
    isHeld = awaited.isEmpty
    if isHeld { adjust() }
  }

  private mutating func add(_ cell: ScreenedCell, noise: Double) {
    let start = cell.screened ?? 0
    let fresh = min(max(cell.source.turns - start, 0), need)
    if fresh < need, !cell.source.isStopped { awaited[cell.source.cell] = start + need }
    let turns = start..<(start + need)
    let drift = cell.source.control?.evidence(turns).map { Drift($0) }
    let floor = max(noise, abs(drift?.change ?? 0))
    for row in cell.rows where row.state == .suspected {
      let evidence = row.source.evidence(turns)
      let look = evidence.map {
        RowLook(
          pairs: need, evidence: $0,
          floor: EffectFloor(noise: floor, tolerance: row.source.tolerance), drift: drift)
      }
      suspects[row.source.key] = Suspect(row: row, look: look, fresh: fresh)
    }
  }

  private mutating func adjust() {
    let keys = Array(suspects.keys)
    let adjusted = Statistics.holm(keys.map { suspects[$0]?.look?.evidence?.p ?? 1 })
    for (key, p) in zip(keys, adjusted) { suspects[key]?.look?.adjustedP = p }
  }
}
