import Basics
import BenchAnalysis
import BenchResults

/// How many times as long as the least possible phases take: a line a storage, a numbered box a phase.
enum FloorChart {
  private struct Line {
    let backend: String
    /// From the least on.
    let phases: [(row: ReportRow, multiple: Double)]

    var most: Double { phases.last?.multiple ?? 1 }
  }

  /// Nil where no phase has a floor.
  static func chart(_ group: ReportGroup) -> Chart? {
    let rows = group.rows.compactMap { row in
      // What cannot be true is near to nothing.
      row.floor?.isError == true ? nil : row.floorRatio.map { (row: row, multiple: $0) }
    }.filter { $0.multiple > 0 && $0.multiple.isFinite }
    let lines = rows.grouped { $0.row.cell.backend }.map { backend, rows in
      Line(backend: backend, phases: rows.sorted { $0.multiple < $1.multiple })
    }.sorted { $0.most < $1.most }
    guard !lines.isEmpty else { return nil }
    let phases = rows.map(\.row.phase).distinct
    return Chart(
      "floors", title: "Multiples of the floor: \(ReportDocument.title(group))",
      sentence: sentence(rows.sorted { $0.multiple < $1.multiple }), drawing(lines, phases),
      table: ChartTable(
        columns: ["storage"] + phases,
        rows: lines.map { line in
          [ChartTable.Value(line.backend)]
            + phases.map { phase in
              line.phases.first { $0.row.phase == phase }
                .map { ChartTable.Value(Wording.boundedMultiple($0.multiple), $0.multiple) } ?? "—"
            }
        }))
  }

  /// What is nearest to its floor and what is furthest; what takes less has no place between them.
  private static func sentence(_ sorted: [(row: ReportRow, multiple: Double)]) -> String {
    func name(_ row: ReportRow) -> String { "\(row.cell.backend)'s \(row.phase)" }
    func names(_ phases: [(row: ReportRow, multiple: Double)]) -> String {
      Wording.list(phases.map { "\(name($0.row)) (\(Wording.multiple($0.multiple)))" })
    }
    let ranked = sorted.filter { $0.multiple >= 1 }
    let less = sorted.filter { $0.multiple < 1 && $0.row.floor?.isBelow == true }
    let level = sorted.filter { $0.multiple < 1 && $0.row.floor?.isBelow != true }
    var sentences: [String] = []
    if let nearest = ranked.first, let furthest = ranked.last {
      let start = "\(name(nearest.row)), \(Wording.boundedMultiple(nearest.multiple)) its floor"
      sentences.append(
        ranked.count == 1
          ? "Above its floor is \(start)."
          : "Nearest to the least possible is \(start); furthest from it \(name(furthest.row)), "
            + "\(Wording.boundedMultiple(furthest.multiple)).")
    }
    if !less.isEmpty {
      sentences.append(
        "\(names(less)) \(less.count == 1 ? "takes" : "take") less than the floor; why stands with the figures."
      )
    }
    if !level.isEmpty { sentences.append("\(names(level)) cannot be told from the floor.") }
    sentences.append("A floor is the same bytes moved by the system alone.")
    return sentences.joined(separator: " ")
  }

  private static func drawing(_ lines: [Line], _ phases: [String]) -> Drawing {
    var drawing = Drawing()
    let top = drawing.legend(phases)
    let multiples = lines.flatMap { $0.phases.map(\.multiple) }
    let axis = Axis(logarithmicOver: [1] + multiples, from: 12, to: 344)
    let lanes = lines.map { Self.lanes(of: $0, on: axis) }
    let heights = lanes.map { lanes in
      let rows = (lanes.max() ?? 0) + 1
      return 18.0 + 14 * Double(rows)
    }
    let bottom = top + heights.reduce(0, +)
    drawing.horizontalAxis(axis, top: top, bottom: bottom) { Wording.multiple($0) }
    drawing.line(axis.place(1), top, axis.place(1), bottom, style: "axis")
    // Beside the line of 1 where that is at the left.
    let names = axis.place(1) < 60 ? axis.place(1) + 5 : 8
    var parts: [Drawing.BarPart] = []
    var y = top
    for (index, line) in lines.enumerated() {
      drawing.text(line.backend, names, y + 11, room: 352 - names)
      parts += zip(line.phases, lanes[index]).map { phase, lane in
        let x = axis.place(phase.multiple)
        return (
          phases.firstIndex(of: phase.row.phase) ?? 0, x - 7, x + 7, y + 15 + Double(lane) * 14, ""
        )
      }
      y += heights[index]
    }
    drawing.parts(parts)
    drawing.height = bottom + 18
    return drawing
  }

  /// In which row of a line each of its boxes lies, so that none hides another.
  private static func lanes(of line: Line, on axis: Axis) -> [Int] {
    var ends: [Double] = []
    return line.phases.map { phase in
      let x = axis.place(phase.multiple)
      let lane = ends.firstIndex { $0 + 15 <= x } ?? ends.count
      if lane == ends.count { ends.append(x) } else { ends[lane] = x }
      return lane
    }
  }
}
