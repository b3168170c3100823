import BenchHarness
import BenchResults
import MenuModel

/// The cells whose instructions are counted where nobody asked for those of a particular menu: under
/// Callgrind a large menu takes minutes, and a small one takes the same paths through the code.
struct Sample {
  /// The cells, those of larger menus replaced by the sample's.
  private(set) var cells: [PlannedCell]
  /// The sample's menu, where it is not among those chosen anyway.
  private(set) var menus: [MenuInfo] = []

  /// Takes the suite's sample for every larger menu; the cells as they are where metrics were named.
  ///
  /// - Throws: whatever the suite's source throws for its sample.
  init<Document: BenchDocument>(
    of chosen: Selection.Chosen<Document>, in suite: Suite<Document>
  ) throws {
    cells = chosen.cells
    guard chosen.metrics == nil, let name = suite.source.sample else { return }
    let sample = try suite.source.load(name).info
    let larger = Set(chosen.menus.filter { $0.size > sample.size }.map(\.name))
    guard !larger.isEmpty else { return }
    var seen: Set<PlannedCell> = []
    cells = chosen.cells.map { cell in
      larger.contains(cell.cell.menu) ? cell.of(sample, named: name) : cell
    }.filter { seen.insert($0).inserted }
    if !chosen.menus.contains(where: { $0.name == sample.name }) { menus = [sample] }
  }
}

extension MenuInfo {
  /// How many things it holds.
  fileprivate var size: Int { counts.reduce(0) { $0 + $1.count } }
}

extension PlannedCell {
  /// The same cell of another menu.
  fileprivate func of(_ menu: MenuInfo, named name: String) -> PlannedCell {
    var cell = cell
    cell.menu = menu.name
    return PlannedCell(cell: cell, documentName: name, fingerprint: menu.fingerprint)
  }
}
