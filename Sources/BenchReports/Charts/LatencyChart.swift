import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// How long readings take beside a writer, by the share of them that take longer: the axis of Gil Tene's HdrHistogram,
/// on which one in ten, one in a hundred and one in a thousand lie equally far apart.
enum LatencyChart {
  /// The shares that are read off, from the median on.
  private static let shares = [0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999]
  /// How many readings must lie beyond a share for it to be said who is slow there: of fewer it is chance.
  private static let leastBeyond = 10.0

  /// Nil of a workload without readers beside a writer.
  static func chart(_ group: ReportGroup) -> Chart? {
    let isContended = group.workload.prefix { $0 != ":" } == "contention"
    let lines = group.rows.filter { $0.metric.id == Metric.wall.id && $0.phase == "read" }
      .compactMap { row -> (name: String, values: [Double])? in
        let values = row.series.blocks.joined().sorted()
        return values.count > 1 ? (row.cell.backend, values) : nil
      }
    guard isContended, !lines.isEmpty else { return nil }
    let curves = lines.map { line in
      (
        name: line.name,
        // One in ten takes ten values; in floating point 1 / (1 - 0.9) is a hair more.
        points: shares.filter { 1 / (1 - $0) <= Double(line.values.count) + 0.5 }.compactMap {
          share in
          Statistics.quantile(share, ofSorted: line.values).map { (share: share, value: $0) }
        }
      )
    }
    var drawing = Drawing()
    let (left, right, top, bottom) = (52.0, 352.0, 6.0, 206.0)
    let x = Axis(logarithmicOver: shares.map { 1 / (1 - $0) }, from: left, to: right)
    let y = Axis(logarithmicOver: curves.flatMap { $0.points.map(\.value) }, from: bottom, to: top)
    drawing.verticalAxis(y, left: left, right: right) { Wording.time($0) }
    for share in [0.5, 0.9, 0.99, 0.999] {
      let place = x.place(1 / (1 - share))
      drawing.line(place, top, place, bottom, style: "grid")
      drawing.text("\((share * 100).digits) %", place, bottom + 12, anchor: .middle, style: "small")
    }
    drawing.text("of readings are faster", right, bottom + 25, anchor: .end, style: "strong")
    for (number, curve) in curves.enumerated() {
      let places = curve.points.map { (x.place(1 / (1 - $0.share)), y.place($0.value)) }
      drawing.line(through: places, style: "curve")
      drawing.marks(number, places)
    }
    drawing.markLegend(curves.map(\.name), from: bottom + 44)
    let late = UtilisationChart.late(group)
    let aside =
      late.isEmpty ? nil : "Readers of \(Wording.list(late)) fell behind, and have no curve."
    return Chart(
      "latency", title: "Readings beside a writer: \(ReportDocument.title(group))",
      sentence: [sentence(lines), aside].compactMap(\.self).joined(separator: " "),
      drawing,
      table: ChartTable(
        columns: ["storage"] + shares.map { "\(($0 * 100).digits) %" },
        rows: curves.map { curve in
          [ChartTable.Value(curve.name)]
            + shares.map { share in
              curve.points.first { $0.share == share }
                .map { ChartTable.Value(Wording.time($0.value), $0.value) } ?? "—"
            }
        }))
  }

  /// Whose tail is the longest beside its own median, as far as that is known.
  private static func sentence(_ lines: [(name: String, values: [Double])]) -> String {
    let tooFew = "There are too few readings for a tail."
    // At the slowest share that all have values enough of: tails of unlike length do not compare.
    let fewest = Double(lines.map(\.values.count).min() ?? 0)
    guard let share = shares.dropFirst().last(where: { leastBeyond / (1 - $0) <= fewest + 0.5 })
    else { return tooFew }
    let tails = lines.compactMap { line -> (name: String, multiple: Double)? in
      guard let middle = Statistics.quantile(0.5, ofSorted: line.values), middle > 0,
        let slow = Statistics.quantile(share, ofSorted: line.values)
      else { return nil }
      return (name: line.name, multiple: slow / middle)
    }
    guard let worst = tails.max(by: { $0.multiple < $1.multiple }) else { return tooFew }
    let level = tails.filter { worst.multiple / $0.multiple < Lead.leastRatio }
    let who =
      switch level.count {
      case _ where tails.count == 1: "A tail of \(worst.name)"
      case tails.count: "All have tails alike"
      case 1: "\(worst.name) has the longest tail"
      default: "\(Wording.list(level.map(\.name))) have the longest tails, too close to call"
      }
    let ends = [level.map(\.multiple).min(), worst.multiple].compactMap(\.self)
    // What is drawn beyond is of single readings.
    let isDrawnFurther = shares.contains {
      $0 > share && 1 / (1 - $0) <= Double(lines.map(\.values.count).max() ?? 0) + 0.5
    }
    let doubt =
      isDrawnFurther
      ? " Further right fewer than \(Int(leastBeyond)) readings lie beyond, of one storage at least: chance decides there."
      : ""
    return "\(who): the slowest \(Wording.percent(1 - share)) of readings take "
      + "\(ends.map(Wording.multiple).distinct.joined(separator: " to ")) their own median and more.\(doubt) The slowest "
      + "tenth, hundredth and thousandth have as much room."
  }
}

/// How much of their time readers work that read at a fixed rate: from the whole of it on they cannot keep up.
enum UtilisationChart {
  private typealias Line = (name: String, summary: Summary, blocks: [Double])

  /// Nil of a workload that does not tell.
  static func chart(_ group: ReportGroup) -> Chart? {
    let lines = group.rows.filter { $0.metric.id == Metric.utilisation.id }
      .compactMap { row -> Line? in
        row.summary.map { (row.cell.backend, $0, row.series.blockMedians ?? []) }
      }
      .sorted { $0.summary.p50 < $1.summary.p50 }
    guard !lines.isEmpty else { return nil }
    var drawing = Drawing()
    let top = 16.0
    let ends = lines.flatMap { [$0.summary.interval?.high ?? $0.summary.p50] + $0.blocks }
    let axis = Axis(linearTo: max(100, ends.max() ?? 100), from: 8, to: 300)
    let bottom = top + Double(lines.count) * 32
    drawing.horizontalAxis(axis, top: top, bottom: bottom) { "\($0.digits) %" }
    for (number, line) in lines.enumerated() {
      let y = top + Double(number) * 32
      drawing.text(line.name, 8, y + 11, room: 344)
      let end = axis.place(line.summary.p50)
      drawing.box(8, y + 15, end - 8, 10, style: "box")
      drawing.whiskers(line.summary.interval.map { [($0, y + 20)] } ?? [], on: axis)
      drawing.dots(Drawing.spread(line.blocks.map { axis.place($0) }, y: y + 16), style: "points")
      let reach = axis.place(
        max(line.summary.interval?.high ?? line.summary.p50, line.blocks.max() ?? 0))
      drawing.text(share(line.summary), max(end, reach) + 5, y + 24)
    }
    let whole = axis.place(100)
    drawing.line(whole, top, whole, bottom, style: "frontier")
    drawing.text("all of it", whole, top - 5, anchor: .middle, style: "small")
    drawing.height = bottom + 18
    let late = late(group)
    let doubt =
      late.isEmpty
      ? "All keep to their rate"
      : "Not in every block \(Wording.list(late)) could keep to the rate: no latencies are known"
    return Chart(
      "utilisation", title: "How much readers work: \(ReportDocument.title(group))",
      sentence:
        "\(doubt). \(busiest(lines)) A bar is the median of the blocks, a point a block.",
      drawing,
      table: ChartTable(
        columns: ["storage", "at work"],
        rows: lines.map { line in
          [ChartTable.Value(line.name), .value(line.summary, .percent)]
        }))
  }

  /// Whose readers work most, as far as that is known.
  ///
  /// - Parameter lines: From those on that work least.
  private static func busiest(_ lines: [Line]) -> String {
    guard let most = lines.last else { return "" }
    let level = lines.filter {
      $0.summary.p50 == most.summary.p50 || $0.summary.isClose(to: most.summary)
    }
    let shares = [level[0], most].map { share($0.summary) }.distinct.joined(separator: " to ")
    let who = "Readers of \(Wording.list(level.map(\.name)))"
    if lines.count == 1 { return "\(who) work \(shares) of their time." }
    if level.count > 1 { return "\(who) work most, too close to call, \(shares) of their time." }
    let isUnproven = lines.contains { $0.summary.interval == nil }
    let doubt = isUnproven ? ", unproven: too few blocks" : ""
    return "\(who) work most, \(shares) of their time\(doubt)."
  }

  /// Whose readers fell behind in a block, or in all: latencies of the others would be of its better moments.
  static func late(_ group: ReportGroup) -> [String] {
    group.rows.filter {
      $0.metric.id == Metric.wall.id && $0.phase == "read" && $0.series.unsupported != nil
        || $0.metric.id == Metric.utilisation.id && $0.summary.map { $0.p50 >= 100 } ?? false
    }.map(\.cell.backend).distinct
  }

  private static func share(_ summary: Summary) -> String {
    Wording.value(summary.p50, .percent)
  }
}
