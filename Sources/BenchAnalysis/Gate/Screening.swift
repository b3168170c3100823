import BenchResults

/// The planned looks at a suite, held one after the other from the first pair on.
///
/// At each look all rows are one family of Holm's, at the level 0.05 over the number of looks. Rows
/// stay in the family once decided, with the probability that decided them: the family's size never
/// depends on what the data showed, and by Bonferroni's inequality over looks and rows a wrong
/// suspicion anywhere in the suite is rarer than 1 in 20.
///
/// Looks that were given up for want of time are not held; their share of the level stays unused.
///
/// A look is held when every open cell has its pairs, those apart that will get no more. So what a
/// look decides depends on the pairs planned for it alone, and more data never unmakes it.
struct Screening: Sendable {
  private(set) var cells: [ScreenedCell]
  /// The cells without which the next look cannot be held, and how many pairs it needs of each.
  private(set) var awaited: [Cell: Int] = [:]
  /// The median movement of the cells' controls that is no real drift, in logarithms: the suite's own
  /// noise. Not the largest, which over many cells is itself mostly noise and would hide effects.
  private(set) var noise = 0.0

  private let looks: Int

  init(_ cells: [PairedCell], plan: LookPlan) {
    self.cells = cells.map(ScreenedCell.init)
    looks = plan.screening.count
    for pairs in plan.screening where pairs <= plan.ended ?? pairs {
      let open = self.cells.indices.filter { self.cells[$0].isOpen }
      let late = open.filter { cells[$0].turns < pairs && !cells[$0].isStopped }
      guard late.isEmpty else {
        awaited = Dictionary(late.map { (cells[$0].cell, pairs) }) { first, _ in first }
        break
      }
      hold(pairs, over: open.filter { cells[$0].turns >= pairs })
    }
  }

  /// How many rows one family of tests has.
  var familySize: Int { cells.reduce(0) { $0 + $1.rows.count } }

  private mutating func hold(_ pairs: Int, over reached: [Int]) {
    for index in cells.indices { cells[index].reset() }
    for index in reached { cells[index].take(pairs) }
    let moved = cells.compactMap(\.drift).filter { !$0.isReal }.map { abs($0.change) }
    noise = Statistics.median(moved) ?? 0
    var adjusted = Statistics.holm(cells.flatMap { $0.rows.map(\.p) })[...]
    let isReached = Set(reached)
    for index in cells.indices {
      let own = adjusted.prefix(cells[index].rows.count).map { min(1, $0 * Double(looks)) }
      adjusted = adjusted.dropFirst(own.count)
      if isReached.contains(index) { cells[index].decide(own, noise: noise) }
    }
  }
}

extension ScreenedCell {
  /// An open row says nothing at a look that it does not reach.
  fileprivate mutating func reset() {
    for index in rows.indices where rows[index].state == .open { rows[index].p = 1 }
  }

  /// Decides the open rows as far as their newest look goes.
  fileprivate mutating func decide(_ adjusted: [Double], noise: Double) {
    for (index, p) in zip(rows.indices, adjusted) where rows[index].state == .open {
      guard var look = rows[index].looks.popLast() else { continue }
      (look.adjustedP, look.floor.noise) = (p, max(noise, look.drift.map { abs($0.change) } ?? 0))
      rows[index].looks.append(look)
      rows[index].state =
        look.isSuspicious ? .suspected : look.isSettled ? .unchanged : .open
    }
  }
}
