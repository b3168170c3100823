import Basics
import BenchAnalysis
import BenchResults

/// How large one store became while revisions were stored over each other, by the phase after which it was looked at.
struct StoreGrowth {
  let backend: String
  let phase: String
  /// Bytes of all its files while it was in use, look after look, of the first block that has any.
  let sizes: [Double]
  /// The most of any block while it was in use.
  let most: Double?
  /// Bytes of all its files once it was closed.
  let atRest: Double?

  /// Of each storage and phase that has a size, in the group's order.
  static func all(_ group: ReportGroup) -> [StoreGrowth] {
    let metrics = [Metric.storedPeakBytes.id, Metric.storedBytes.id]
    return group.rows.filter {
      metrics.contains($0.metric.id) && $0.series.isJudged && $0.summary != nil
    }.grouped { [$0.cell.backend, $0.phase] }.map { key, rows in
      let used = rows.first { $0.metric.id == Metric.storedPeakBytes.id }
      let closed = rows.first { $0.metric.id == Metric.storedBytes.id }
      return StoreGrowth(
        backend: key[0], phase: key[1],
        sizes: used?.series.blocks.first { !$0.isEmpty } ?? [], most: used?.summary?.max,
        atRest: closed?.summary?.p50)
    }
  }
}
