import BenchAnalysis
import BenchHarness
import BenchResults
import MenuModel

/// What a comparison measures, and for how long.
struct ComparePlan<Document: BenchDocument> {
  /// Everything to measure; the menus asked for come first.
  let chosen: Selection.Chosen<Document>
  /// Why one size alone is measured, in words; nil where that needs none.
  let sizeNote: String?

  /// Seconds that a comparison takes unless told: with reports it then ends within ten minutes.
  private static var usualBudget: Double { 540 }

  /// Plans it. Where something is to be recommended the time goes to what counts: all else is timed
  /// once. Counts are taken of what is weighed, and of the two workloads that tell sizes.
  init(
    _ typed: CompareSelection, _ question: ChoiceQuestion?, in suite: Suite<Document>
  ) throws {
    let selection = typed.selection
    var chosen = try selection.resolve(in: suite)
    guard let question else {
      chosen.cells = chosen.cells.map(\.lean)
      (self.chosen, sizeNote) = (chosen, nil)
      return
    }
    let weighed = OtherSizes<Document>.workloads(
      of: question, among: chosen.cells.map(\.cell.workload))
    chosen.cells = chosen.cells.map {
      weighed.contains($0.cell.workload) ? $0 : $0.lean.with(mostBlocks: 1)
    }
    if typed.oneSize {
      sizeNote = "--one-size was given"
    } else {
      let others = try OtherSizes(of: selection, chosen: chosen, for: question, in: suite)
      chosen.cells += others.cells.map { $0.lean.with(mostBlocks: Lead.fewestBlocks).last }
      chosen.menus += others.menus
      sizeNote = others.note
    }
    self.chosen = chosen
  }

  /// Seconds that measuring may take; nil for no end.
  func budget(_ limits: Limits) -> Double? {
    limits.budget ?? (limits.blocks == nil ? Self.usualBudget : nil)
  }
}

extension PlannedCell {
  /// The cell with counts of nothing but sizes: of a whole menu stored, and of one stored often.
  fileprivate var lean: PlannedCell {
    var cell = self
    cell.isTimedOnly = !["roundtrip", "replace"].contains(DecidingCost.name(of: cell.cell.workload))
    return cell
  }

  /// The cell of another size, which goes on once the one that was asked about has an interval.
  fileprivate var last: PlannedCell {
    var cell = self
    cell.waits = Statistics.fewestForMedianInterval
    return cell
  }

  /// The cell with so many timed blocks at most.
  fileprivate func with(mostBlocks: Int) -> PlannedCell {
    var cell = self
    cell.mostBlocks = mostBlocks
    return cell
  }
}
