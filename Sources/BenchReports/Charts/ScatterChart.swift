import Basics
import BenchAnalysis
import BenchResults

/// Storages as points between two costs, with the frontier of those that no other beats in both.
enum ScatterChart {
  /// A storage's two costs.
  private struct Point {
    let backend: String
    let time: CostFigure
    let y: Summary
    /// Whether it keeps what was written: what keeps nothing is no choice, and not on the frontier.
    let isRival: Bool
    /// What a size must differ by to be told from another.
    let resolution: Double

    var x: Summary { time.summary }

    /// Whether it is known to be the better choice: in one cost clearly, in the other no worse.
    func beats(_ other: Point) -> Bool {
      guard x.p50 <= other.x.p50, y.p50 <= other.y.p50 else { return false }
      let isSmaller = other.y.p50 - y.p50 > resolution && !y.isClose(to: other.y)
      let isTold = !(time.isTiny && other.time.isTiny) && !x.isClose(to: other.x)
      return isSmaller || x.p50 < other.x.p50 && isTold
    }
  }

  /// Time beside memory, and time against stored size, of the group's first whole cost that is a reading, else its
  /// first.
  static func charts(_ group: ReportGroup) -> [Chart] {
    guard
      let cost = group.costs.first(where: { $0.name == WorkloadInfo.Cost.load })
        ?? group.costs.first
    else { return [] }
    let title = ReportDocument.title(group)
    let times = Dictionary(
      group.glance.compactMap { row in
        // What the process holds anyway says nothing of its storage.
        row.costs[cost.name].flatMap { $0.isHeld ? nil : (row.backend, $0) }
      }
    ) { first, _ in first }
    let rivals = group.glance.filter(\.isRival)
    let sides = Sides(
      cost: cost.name, times: times, rivals: Set(rivals.map(\.backend)),
      withheld: rivals.filter { $0.withheld.contains(cost.name) }.map(\.backend))
    let heap = peaks(group, of: cost)
    let stored = Dictionary(
      group.glance.compactMap { row in row.stored.map { (row.backend, $0.summary) } }
    ) { first, _ in first }
    return [
      chart(
        "memory", "Memory beside time: \(title)", sides, "peak of the heap", heap,
        resolution: Metric.peakHeapResolution),
      chart(
        "size", "Time against stored size: \(title)", sides, "stored", stored, resolution: 0),
    ].compactMap(\.self)
  }

  /// The largest peak of the heap among a cost's phases.
  private static func peaks(
    _ group: ReportGroup, of cost: WorkloadInfo.Cost
  ) -> [String: Summary] {
    let rows = group.rows.filter {
      $0.metric.id == Metric.peakHeapBytes.id && cost.phases.contains($0.phase)
    }
    // Of phases of which one is unknown nobody knows the largest.
    let unknown = Set(rows.filter { $0.summary == nil }.map(\.cell.backend))
    return rows.reduce(into: [:]) { found, row in
      guard let summary = row.summary, !unknown.contains(row.cell.backend) else { return }
      if summary.p50 > found[row.cell.backend]?.p50 ?? -1 { found[row.cell.backend] = summary }
    }
  }

  /// What all charts of a group share.
  private struct Sides {
    let cost: String
    let times: [String: CostFigure]
    let rivals: Set<String>
    /// Those whose time cannot be true, and is not drawn.
    let withheld: [String]
  }

  private static func chart(
    _ name: String, _ title: String, _ sides: Sides, _ other: String, _ sizes: [String: Summary],
    resolution: Double
  ) -> Chart? {
    let points = sides.times.compactMap { backend, time in
      sizes[backend].map {
        Point(
          backend: backend, time: time, y: $0, isRival: sides.rivals.contains(backend),
          resolution: resolution)
      }
    }.filter { $0.x.p50 > 0 && $0.y.p50 > 0 }.sorted {
      ($0.x.p50, $0.backend) < ($1.x.p50, $1.backend)
    }
    guard points.count > 1 else { return nil }
    let best = frontier(points)
    let rivals = points.filter(\.isRival)
    let few = rivals.count > 1 ? rivals.filter { $0.x.interval == nil }.map(\.backend) : []
    let doubt =
      few.isEmpty
      ? "" : " Unproven: of \(Wording.list(few)) there are too few blocks for an interval."
    let names = Wording.list(best.map { points[$0].backend })
    let answer =
      switch best.count {
      case 0: "None keeps what was written."
      case 1 where rivals.count == 1:
        "Of these only \(names) keeps what was written."
      case 1: "\(names) beats every other that is drawn and keeps what was written."
      default: "No storage is better in both than \(names): the broken line joins them."
      }
    let cost = sides.cost
    let untrue =
      sides.withheld.isEmpty
      ? "" : " The time of \(Wording.list(sides.withheld)) is below a floor, and not drawn."
    let drawn = Set(points.map(\.backend))
    let lacking = sides.times.keys.filter { !drawn.contains($0) }
    let unknown =
      lacking.isEmpty
      ? ""
      : " Of \(Wording.list(lacking.sorted())) a cost is unknown or 0, and so there is no point."
    let others = points.filter { !$0.isRival }.map(\.backend)
    let aside =
      others.isEmpty || best.isEmpty
      ? ""
      : " \(Wording.list(others)) \(others.count == 1 ? "keeps" : "keep") nothing, and \(others.count == 1 ? "does" : "do") not count."
    return Chart(
      name, title: title,
      sentence:
        "\(answer)\(doubt)\(untrue)\(unknown)\(aside) "
        + "Further left is less time to \(cost), further down less \(other).",
      drawing(points, best, cost, other),
      table: ChartTable(
        columns: ["storage", "number", cost, other, "on the frontier"],
        rows: points.enumerated().map { number, point in
          [
            ChartTable.Value(point.backend), ChartTable.Value("\(number + 1)", Double(number + 1)),
            .time(point.x, least: point.time.leastTellable), .value(point.y, .bytes),
            best.contains(number) ? "yes" : "no",
          ]
        }))
  }

  /// The points that keep what was written and that no other such is known to beat, by their places.
  private static func frontier(_ points: [Point]) -> [Int] {
    let rivals = points.filter(\.isRival)
    return points.indices.filter { index in
      points[index].isRival && !rivals.contains { $0.beats(points[index]) }
    }
  }

  private static func drawing(
    _ points: [Point], _ best: [Int], _ cost: String, _ other: String
  ) -> Drawing {
    var drawing = Drawing()
    let (left, right, top, bottom) = (52.0, 352.0, 18.0, 238.0)
    let x = Axis(logarithmicOver: points.map(\.x.p50), from: left, to: right)
    let y = Axis(logarithmicOver: points.map(\.y.p50), from: bottom, to: top)
    drawing.text(other, 4, 10, style: "strong")
    drawing.text(cost, right, bottom + 26, anchor: .end, style: "strong")
    drawing.horizontalAxis(x, top: top, bottom: bottom) { Wording.time($0) }
    drawing.verticalAxis(y, left: left, right: right) { Wording.bytes($0) }
    drawing.line(
      through: best.map { (x.place(points[$0].x.p50), y.place(points[$0].y.p50)) },
      style: "frontier")
    var taken: [(x: Double, y: Double)] = []
    for (number, point) in points.enumerated() {
      let (px, py) = (x.place(point.x.p50), y.place(point.y.p50))
      let isBest = best.contains(number)
      drawing.mark(
        isBest ? .diamond : point.isRival ? .circle : .square, px, py,
        style: isBest ? "fill0" : point.isRival ? "fill1" : "fill7",
        note: "\(point.backend): "
          + Wording.value(point.x.p50, .nanoseconds, leastTellable: point.time.leastTellable)
          + ", \(Wording.bytes(point.y.p50))")
      // A number that would lie on another moves down.
      var label = (x: px + 6, y: py + 4)
      while taken.contains(where: { abs($0.x - label.x) < 12 && abs($0.y - label.y) < 9 }) {
        label.y += 9
      }
      taken.append(label)
      drawing.text("\(number + 1)", label.x, label.y, style: "small")
    }
    let first = bottom + 44
    for (number, point) in points.enumerated() {
      drawing.text(
        "\(number + 1)  \(point.backend)", 4 + Double(number % 2) * 178,
        first + Double(number / 2) * 15,
        style: best.contains(number) ? "strong" : "", room: 172)
    }
    drawing.height = first + Double((points.count + 1) / 2) * 15
    return drawing
  }
}
