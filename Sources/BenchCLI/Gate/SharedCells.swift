import BenchHarness
import BenchResults

/// Which cells both programs have, and which only one of them has.
struct SharedCells {
  /// The cells to compare.
  var both: [PlannedCell] = []
  /// The cells of one side.
  var lonely: [Pairing.Side: [PlannedCell]] = [:]

  /// Sorts the cells asked for.
  ///
  /// - Throws: a ``CLIError`` where a menu of one name is another menu there: what was measured
  ///   could not be compared.
  init(_ cells: [PlannedCell], _ hellos: Sides<WorkerHello>, takesAll: Bool) throws {
    let gone = hellos.baseline.backends.filter { !hellos.candidate.backends.contains($0) }
    let cells = cells + (takesAll ? Self.cells(of: gone, like: cells) : [])
    for cell in cells {
      let sides = Pairing.Side.allCases.filter { hellos[$0].has(cell) }
      if sides.count == 2 {
        both.append(cell)
      } else {
        for side in sides { lonely[side, default: []].append(cell) }
      }
    }
    for (name, fingerprint) in hellos.candidate.documents {
      guard let other = hellos.baseline.documents[name], other != fingerprint else { continue }
      throw CLIError(
        "the menu '\(name)' is not the same menu there: fingerprint \(fingerprint), baseline "
          + other,
        help: "make it a file with 'bench generate' and give that: both then read the same",
        status: .unmeasured)
    }
  }

  /// The cells that backends would have, for every menu, workload and durability chosen.
  private static func cells(of backends: [String], like cells: [PlannedCell]) -> [PlannedCell] {
    var seen: Set<PlannedCell> = []
    return backends.flatMap { backend in
      cells.map { cell in
        var cell = cell
        cell.cell.backend = backend
        return cell
      }
    }.filter { seen.insert($0).inserted }
  }
}

extension WorkerHello {
  /// Settings it does not know fail when they are asked for.
  private func has(workload id: String) -> Bool {
    workloads.contains(String(id.prefix { $0 != ":" }))
  }

  fileprivate func has(_ cell: PlannedCell) -> Bool {
    backends.contains(cell.cell.backend) && has(workload: cell.cell.workload)
      && documents[cell.documentName] != nil
  }
}
