import Basics
import BenchResults

extension ReportRow {
  /// The verdict on the change, also of a figure over its limit. Nil if the change has none.
  package var moved: Verdict? {
    let verdict = verdict == .overLimit ? comparison?.verdict : verdict
    switch verdict {
    case .regressed, .improved, .unchanged, .inconclusive: return verdict
    case .new, .missing, .belowFloor, .overLimit, nil: return nil
    }
  }

  package var isProven: Bool { moved == .regressed || moved == .improved }

  /// The largest ratio that is left open. It is 1 for times of 0 on both sides.
  package var upperEnd: Double {
    comparison?.interval?.high ?? (moved == .unchanged ? 1 : .infinity)
  }
}

extension Report {
  /// A row for each judged cost: of the views of one time, the deciding one, unless only another proves a change. Then a
  /// median comes before a mean.
  package var judgedCosts: [ReportRow] {
    allRows.filter { $0.metric.isTime && $0.moved != nil }.grouped { row in
      // A share is no view of a time.
      let view = row.metric.unit == .nanoseconds ? "" : row.metric.id
      return Series.Key(cell: row.cell, phase: row.phase, metric: view)
    }.compactMap { _, views in
      let proven = views.filter { $0.moved == .regressed } + views.filter { $0.moved == .improved }
      let telling = views.filter { $0.moved == (proven.first ?? views[0]).moved }
      let medians = telling.filter { $0.metric.id != Metric.meanWall.id }
      return (medians.isEmpty ? telling : medians).first {
        comparison?.deciding.contains($0.series.key) == true
      }
        ?? medians.first ?? telling.first
    }
  }

  /// Leaves out other views of times that a row of ``judgedCosts`` speaks for.
  package func once(_ rows: [ReportRow]) -> [ReportRow] {
    let costs = Set(judgedCosts.map(\.series.key))
    return rows.filter { !$0.metric.isTime || costs.contains($0.series.key) }
  }
}
