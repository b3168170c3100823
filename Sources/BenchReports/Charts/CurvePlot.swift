import BenchAnalysis

/// Curves over two axes, each with a colour, and with its name at its end.
struct CurvePlot {
  struct Curve {
    let name: String
    let points: [Drawing.Point]
    var fit: [Drawing.Point] = []
  }

  /// Make the axes between two ends: from left to right, and from bottom to top.
  let axes: (x: (Double, Double) -> Axis, y: (Double, Double) -> Axis)
  /// The title of the axis along the bottom.
  let title: String
  /// The ticks along the bottom, or nil for round figures.
  var ticks: [Double]?
  /// Format the ticks.
  let names: (x: (Double) -> String, y: (Double) -> String)
  let curves: [Curve]
  /// The places of broken lines.
  var breaks: [Double] = []

  /// The room for names, and the distance between two of them.
  private static let (room, gap) = (104.0, 11.0)

  var drawing: Drawing {
    var drawing = Drawing()
    let (left, right, top) = (52.0, Drawing.width - Self.room, 8.0)
    let bottom = max(208, top + Double(curves.count) * Self.gap)
    let (x, y) = (axes.x(left, right), axes.y(bottom, top))
    func place(_ point: Drawing.Point) -> Drawing.Point { (x.place(point.x), y.place(point.y)) }
    drawing.horizontalAxis(x, top: top, bottom: bottom, ticks: ticks, name: names.x)
    drawing.verticalAxis(y, left: left, right: right, name: names.y)
    drawing.text(title, right, bottom + 25, anchor: .end, style: "strong")
    for place in breaks.filter(x.reaches).map(x.place) {
      drawing.lines(through: [[(place, top), (place, bottom)]], style: "broken")
    }
    let places = curves.map { $0.points.map(place) }
    let ends = places.map { $0.last ?? (right, bottom) }
    let labels = Self.spread(ends.map(\.y), from: top, to: bottom)
    for (number, curve) in curves.enumerated() {
      drawing.lines(through: [curve.fit.map(place)], style: "fit")
      // A colour alone may be too close to the background, so each curve has an edge.
      for style in ["curve", "curve\(number % ChartStyle.fills)"] {
        drawing.lines(through: [places[number]], style: style)
      }
      for (x, y) in places[number] { drawing.mark(number, x, y) }
      drawing.lines(through: [[ends[number], (right + 10, labels[number])]], style: "grid")
      drawing.mark(number, right + 10, labels[number])
      drawing.text(
        curve.name, right + 17, labels[number] + 3, style: "small", room: Self.room - 18)
    }
    drawing.height = bottom + 30
    return drawing
  }

  /// Returns heights near those wanted, far enough apart to read a name at each.
  private static func spread(_ wanted: [Double], from top: Double, to bottom: Double) -> [Double] {
    var heights = wanted
    let order = wanted.indices.sorted { wanted[$0] < wanted[$1] }
    var next = top
    for place in order {
      heights[place] = max(wanted[place], next)
      next = heights[place] + gap
    }
    next = bottom
    for place in order.reversed() {
      heights[place] = min(heights[place], next)
      next = heights[place] - gap
    }
    return heights
  }
}
