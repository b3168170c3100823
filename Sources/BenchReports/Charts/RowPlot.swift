import BenchAnalysis

/// Rows on one axis, each under its name: bars of parts, or marks, with their intervals as whiskers.
struct RowPlot {
  struct Row {
    let name: String
    var isStrong = false
    let lanes: [Lane]
  }

  /// One bar or one mark.
  struct Lane {
    /// The bar's parts, one after the other. Each has a place in the legend, an end, and a note
    /// that readers see when they point at it.
    var parts: [Part] = []
    var mark: (form: Drawing.Mark, style: String, value: Double, note: String)?
    var interval: Interval?
    /// The text behind the bar or mark.
    var text = ""

    typealias Part = (place: Int, end: Double, note: String)

    /// A bar needs room below for its whisker, which would otherwise cut through it.
    fileprivate var height: Double { parts.isEmpty ? 15 : 20 }
  }

  let axis: (_ start: Double, _ end: Double) -> Axis
  /// The figure at which bars begin, and with which marks are compared.
  let origin: Double
  /// The figures that hardly differ from the origin, to be shaded.
  var band: ClosedRange<Double>?
  /// The ticks, or nil for round figures.
  var ticks: [Double]?
  /// The meaning of the parts' colours and numbers.
  var legend: [String] = []
  let rows: [Row]
  /// Formats a tick.
  let tick: (Double) -> String

  var drawing: Drawing {
    var drawing = Drawing()
    let room = rows.flatMap(\.lanes).map { Drawing.width(of: $0.text) }.max() ?? 0
    let axis = axis(8, max(Drawing.width - 12 - room, 180))
    let top = legend.isEmpty ? 4 : drawing.legend(legend)
    let bottom = top + rows.flatMap(\.lanes).reduce(18 * Double(rows.count)) { $0 + $1.height }
    if let band {
      let (start, end) = (axis.place(band.lowerBound), axis.place(band.upperBound))
      drawing.lines(
        through: [[(start, top), (end, top), (end, bottom), (start, bottom)]], style: "band")
    }
    drawing.horizontalAxis(axis, top: top, bottom: bottom, ticks: ticks, name: tick)
    let line = axis.place(origin)
    drawing.lines(through: [[(line, top), (line, bottom)]], style: "axis")
    // Names stand to the right of the line if the line is at the left.
    let left = line < 60 ? line + 5 : 8
    var y = top
    for row in rows {
      drawing.text(
        row.name, left, y + 11, style: row.isStrong ? "strong" : "", room: Drawing.width - 8 - left)
      y += 15
      for lane in row.lanes {
        drawing.lane(lane, y, from: line, on: axis)
        y += lane.height
      }
      y += 3
    }
    drawing.height = bottom + 18
    return drawing
  }
}

extension Drawing {
  fileprivate mutating func lane(
    _ lane: RowPlot.Lane, _ y: Double, from origin: Double, on axis: Axis
  ) {
    var end = origin
    for part in lane.parts {
      let next = axis.place(part.end)
      self.part(part.place, from: end, to: next, y, note: part.note)
      end = next
    }
    if let interval = lane.interval {
      whisker(interval, y + (lane.parts.isEmpty ? 6 : 15), on: axis)
      end = max(end, axis.place(interval.high))
    }
    if let mark = lane.mark {
      let x = axis.place(mark.value)
      self.mark(mark.form, x, y + 6, style: mark.style, note: mark.note)
      end = max(end, x + 4)
    }
    if !lane.text.isEmpty { text(lane.text, end + 5, y + 10) }
  }
}
