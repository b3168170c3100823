import Basics
import BenchAnalysis
import BenchResults

/// The blocks of one phase, each a point, over a box of their middle half: what a mean would hide.
enum BlockChart {
  private struct Line {
    let backend: String
    let medians: [Double]
    let summary: Summary
    let quartiles: Interval

    var least: Double { medians.min() ?? 0 }
    var most: Double { medians.max() ?? 0 }

    /// How far a time is from the median, as a part of it.
    func part(_ time: Double) -> Double { time / summary.p50 - 1 }

    /// The slowest block over the fastest.
    var spread: Double { most / least }
  }

  /// One chart a phase that was timed, in the group's order.
  ///
  /// - Parameter oneProcess: Whether all blocks were measured in one process.
  static func charts(_ group: ReportGroup, oneProcess: Bool) -> [Chart] {
    let timed = group.rows.filter { $0.metric.id == Metric.wall.id && $0.series.isJudged }
    return timed.grouped(by: \.phase).compactMap { phase, rows -> Chart? in
      let lines = rows.filter { $0.floor?.isError != true && !$0.isTiny }.compactMap(line)
        .sorted { $0.summary.p50 < $1.summary.p50 }
      guard !lines.isEmpty else { return nil }
      return Chart(
        id(of: phase), title: "Blocks of \(phase): \(ReportDocument.title(group))",
        sentence: sentence(lines, oneProcess) + undrawn(rows), drawing(lines), table: table(lines))
    }
  }

  /// What a phase's chart is called.
  static func name(of phase: String) -> String { Chart.plain(id(of: phase)) }

  private static func id(of phase: String) -> String { "blocks-\(phase)" }

  /// Nil of a storage of which a block took no time: nothing is a multiple of that, nor a part.
  private static func line(_ row: ReportRow) -> Line? {
    guard let medians = row.series.blockMedians, let summary = row.summary,
      medians.allSatisfy({ $0 > 0 }),
      let low = Statistics.quantile(0.25, of: medians),
      let high = Statistics.quantile(0.75, of: medians)
    else { return nil }
    return Line(
      backend: row.cell.backend, medians: medians, summary: summary,
      quartiles: Interval(low: low, high: high))
  }

  /// Who is not drawn, because of a time that cannot be true or that the clock's own cost may be, or of a block that
  /// took none.
  private static func undrawn(_ rows: [ReportRow]) -> String {
    func said(_ rows: [ReportRow], _ why: String) -> String {
      guard !rows.isEmpty else { return "" }
      let names = Wording.list(rows.map(\.cell.backend))
      return " \(names) \(why), and \(rows.count == 1 ? "is" : "are") not drawn."
    }
    let isUntrue = { (row: ReportRow) in row.floor?.isError == true }
    let tiny = rows.filter { !isUntrue($0) && $0.isTiny }
    let timeless = rows.filter { row in
      !isUntrue(row) && !row.isTiny && (row.series.blockMedians ?? []).contains { $0 <= 0 }
    }
    return said(rows.filter(isUntrue), "took less time than the floor, which cannot be true")
      + said(tiny, "took too little to be told from the clock's own cost")
      + said(timeless, "took no time in a block")
  }

  /// How far each block is from its storage's median, since storages lie too far apart for one axis of times.
  private static func drawing(_ lines: [Line]) -> Drawing {
    var drawing = Drawing()
    let parts = lines.flatMap { line in line.medians.map { line.part($0) } }
    // Nobody wants to see a thousandth of noise as wide as a half.
    let axis = Axis(
      linearOver: min(parts.min() ?? 0, -0.02)...max(parts.max() ?? 0, 0.02), from: 8, to: 352)
    let bottom = 4 + Double(lines.count) * 32
    drawing.horizontalAxis(axis, top: 4, bottom: bottom) { part in
      part == 0 ? "median" : (part < 0 ? "−" : "+") + Wording.percent(abs(part))
    }
    for (number, line) in lines.enumerated() {
      let y = 4 + Double(number) * 32
      drawing.text("\(line.backend)  \(Wording.time(line.summary.p50))", 8, y + 11, room: 344)
    }
    // What all lines have is of one path: a page has hundreds of such charts.
    let places = lines.enumerated().map { ($1, 4 + Double($0) * 32) }
    let boxes = places.map { line, y in
      let low = axis.place(line.part(line.quartiles.low))
      let high = axis.place(line.part(line.quartiles.high))
      return (x: low, y: y + 16, width: max(high - low, 1), height: 10.0)
    }
    drawing.boxes(boxes, style: "box")
    let dots = places.flatMap { line, y in
      Drawing.spread(line.medians.map { axis.place(line.part($0)) }, y: y + 17)
    }
    drawing.dots(dots, style: "points")
    let middle = axis.place(0)
    drawing.lines(
      through: places.map { [(middle, $0.1 + 14), (middle, $0.1 + 28)] }, style: "middle")
    drawing.height = bottom + 18
    return drawing
  }

  private static func sentence(_ lines: [Line], _ oneProcess: Bool) -> String {
    guard let widest = lines.max(by: { $0.spread < $1.spread }) else { return "" }
    let few = lines.filter { $0.medians.count < Statistics.fewestForMedianInterval }
    let doubt =
      few.isEmpty
      ? "" : " Of \(Wording.list(few.map(\.backend))) there are too few blocks for an interval."
    let counts = Set(lines.map(\.medians.count))
    let number = counts.count == 1 ? counts.first.map { ", \($0) of each storage" } : nil
    let shape =
      "A point is the median of a block, \(oneProcess ? "all in one process" : "a fresh process")\(number ?? ""); "
      + "the box holds the middle half of them, the bar is their median."
    guard widest.medians.count > 1 else { return shape + doubt }
    guard widest.spread >= 1.005 else {
      return "No two blocks of a storage differ by half a per cent. \(shape)\(doubt)"
    }
    return
      "No blocks lie further apart than those of \(widest.backend), from \(Wording.time(widest.least)) to "
      + "\(Wording.time(widest.most)), \(Wording.multiple(widest.spread)). \(shape)\(doubt)"
  }

  /// Of unlike numbers of blocks with a column of them; those that all have alike the sentence says.
  private static func table(_ lines: [Line]) -> ChartTable {
    let isAlike = Set(lines.map(\.medians.count)).count == 1
    return ChartTable(
      columns: ["storage", "median", "middle half"] + (isAlike ? [] : ["blocks"]),
      rows: lines.map { line in
        [
          ChartTable.Value(line.backend),
          ChartTable.Value(Wording.time(line.summary.p50), line.summary.p50),
          ChartTable.Value(Wording.range(line.quartiles, .nanoseconds)),
        ]
          + (isAlike
            ? [] : [ChartTable.Value("\(line.medians.count)", Double(line.medians.count))])
      })
  }
}
