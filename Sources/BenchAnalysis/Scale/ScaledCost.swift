import BenchResults

/// One cost along the sizes: a curve a backend, and where the cheaper one changes.
public struct ScaledCost: Sendable {
  /// The cost.
  public let column: CostColumn
  /// The backends in the record's order.
  public let curves: [GrowthCurve]
  /// Where the cheaper of two changes, pair by pair.
  public let crossovers: [Crossover]

  init(_ column: CostColumn, _ sheets: [SizedSheet], backends: [String]) {
    let curves = backends.map { backend in
      GrowthCurve(
        backend: backend,
        points: sheets.map {
          GrowthPoint(
            menu: $0.sheet.menu, size: $0.size, entry: $0.sheet.entry(backend, column))
        })
    }
    self.column = column
    self.curves = curves
    crossovers = curves.indices.flatMap { first in
      curves[(first + 1)...].flatMap { Crossover.all(curves[first], $0, column) }
    }
  }
}

/// The costs with a menu, and how large that is.
struct SizedSheet {
  let size: Double
  let sheet: CostSheet
}
