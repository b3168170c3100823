/// A picture of lines, boxes, points and words in SVG, drawn from the top down at one width.
///
/// It is as wide as a narrow phone, where words keep their own size. A page with more room shows it
/// larger. Colours are classes of ``ChartStyle``, so that a dark page can use others.
struct Drawing: Sendable {
  /// The width in units. A unit is a CSS pixel if a drawing is shown at its own size.
  static let width = 360.0

  var height = 0.0
  private var elements: [String] = []

  var body: String { elements.joined(separator: "\n") }

  /// Estimates the width of words in units, because the reader's font is unknown.
  static func width(of words: String) -> Double { 6 * Double(words.displayWidth) }

  static func width(ofSmall words: String) -> Double { 5 * Double(words.displayWidth) }

  typealias Point = (x: Double, y: Double)

  enum Anchor: String {
    case start, middle, end
  }

  /// Draws words from a point on the baseline. Their middle is left out if there is too little room.
  mutating func text(
    _ words: String, _ x: Double, _ y: Double, anchor: Anchor = .start, style: String = "",
    room: Double? = nil
  ) {
    let letter = style == "small" ? Self.width(ofSmall: "n") : Self.width(of: "n")
    let words = room.map { words.displayable.shortened(to: Int($0 / letter)) } ?? words
    let classes = [anchor == .start ? "" : anchor.rawValue, style].filter { !$0.isEmpty }
    let looks = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    elements.append(
      "<text x=\"\(Self.digits(x))\" y=\"\(Self.digits(y))\"\(looks)>\(words.markupEscaped)</text>")
  }

  /// Draws lines through points, as one path. A line of fewer than two points is left out.
  mutating func lines(through all: [[Point]], style: String) {
    let path = all.filter { $0.count > 1 }.map { line in
      "M" + line.map { Self.point($0.x, $0.y) }.joined(separator: "L")
    }.joined()
    if !path.isEmpty { add(path, style: style) }
  }

  /// Draws dots, as one path: thousands of them stay small.
  mutating func dots(_ points: [Point], style: String) {
    let path = points.map { "M\(Self.point($0.x, $0.y))h0" }.joined()
    if !path.isEmpty { add(path, style: "dots \(style)") }
  }

  /// Draws a part of a bar. Its colour, and its number if there is room, refer to a legend. Readers
  /// see the note when they point at the part.
  mutating func part(_ place: Int, from start: Double, to end: Double, _ y: Double, note: String?) {
    let (width, fill) = (max(end - start, 0), place % ChartStyle.fills)
    add(
      "M\(Self.point(start, y))h\(Self.digits(width))v11h\(Self.digits(-width))z",
      style: "fill\(fill)", note: note)
    guard width > 9 else { return }
    text("\(place + 1)", start + width / 2, y + 9, style: "on on\(fill)")
  }

  /// Draws the colours and numbers of a bar's parts, two per line.
  ///
  /// - Returns: The height at which the drawing continues.
  mutating func legend(_ names: [String]) -> Double {
    for (place, name) in names.enumerated() {
      let (x, y) = (4 + Double(place % 2) * 178, 4 + Double(place / 2) * 17)
      part(place, from: x, to: x + 14, y, note: nil)
      text(name, x + 19, y + 10, room: 155)
    }
    return Double((names.count + 1) / 2) * 17 + 10
  }

  /// The shapes of marks: they tell apart whatever colours tell apart.
  enum Mark: CaseIterable {
    case circle, square, diamond, triangle
  }

  mutating func mark(_ form: Mark, _ x: Double, _ y: Double, style: String, note: String? = nil) {
    let path =
      switch form {
      case .circle: "M\(Self.point(x - 4, y))a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"
      case .square: "M\(Self.point(x - 3.5, y - 3.5))h7v7h-7z"
      case .diamond: "M\(Self.point(x, y - 5))l5 5l-5 5l-5-5z"
      case .triangle: "M\(Self.point(x, y - 5))l5 9h-10z"
      }
    add(path, style: style, note: note)
  }

  /// Draws the mark of one of several curves. When a colour repeats, its shape differs.
  mutating func mark(_ number: Int, _ x: Double, _ y: Double) {
    let forms = Mark.allCases
    mark(
      forms[(number + number / ChartStyle.fills) % forms.count], x, y,
      style: "fill\(number % ChartStyle.fills)")
  }

  /// Adds a path with a note that readers see when they point at it.
  private mutating func add(_ path: String, style: String, note: String? = nil) {
    let start = "<path d=\"\(path)\" class=\"\(style)\""
    elements.append(
      note.map { "\(start)><title>\($0.markupEscaped)</title></path>" } ?? start + "/>")
  }

  /// Formats two numbers in tenths of a unit: finer differences are invisible.
  private static func point(_ x: Double, _ y: Double) -> String { "\(digits(x)) \(digits(y))" }

  private static func digits(_ value: Double) -> String { ((value * 10).rounded() / 10).digits }
}

/// The look of drawings: Okabe and Ito's colours (jfly.uni-koeln.de/color), which colour-blind
/// readers can tell apart. Each filled shape has an outline in the text colour, whose contrast with
/// the background is far above 3:1. A word, a number or a shape repeats what a colour says.
enum ChartStyle {
  /// The rules for drawings, and the colours of a page, light and dark.
  static let rules = String(decoding: PackageResources.chart_css, as: UTF8.self)

  static let fills = 8
}
