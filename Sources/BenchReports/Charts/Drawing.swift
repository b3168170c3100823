/// A picture of lines, boxes, points and words in SVG, drawn top down at one width.
///
/// Its width is that of a narrow phone, so that words can be read there at their own size; a page shows it larger
/// where it has room. Colours are classes of ``ChartStyle``: a page in the dark has others.
struct Drawing: Sendable {
  /// Units across; a unit is a CSS pixel where a drawing is shown at its own size.
  static let width = 360.0

  var height = 0.0
  private var elements: [String] = []

  var body: String { elements.joined(separator: "\n") }

  /// About how wide words are, in units: the reader's letters are not known.
  static func width(of words: String) -> Double { 6 * Double(words.displayWidth) }

  static func width(ofSmall words: String) -> Double { 5 * Double(words.displayWidth) }

  typealias Point = (x: Double, y: Double)

  enum Anchor: String {
    case start, middle, end
  }

  /// Words from a point on the baseline; their middle is left out where they would take more room than there is.
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

  /// Lines through points, all of one path; nothing of fewer than two points.
  mutating func lines(through all: [[Point]], style: String) {
    let path = all.filter { $0.count > 1 }.map { line in
      "M" + line.map { Self.point($0.x, $0.y) }.joined(separator: "L")
    }.joined()
    if !path.isEmpty { add(path, style: style) }
  }

  /// Dots, all of one path: thousands take little room.
  mutating func dots(_ points: [Point], style: String) {
    let path = points.map { "M\(Self.point($0.x, $0.y))h0" }.joined()
    if !path.isEmpty { add(path, style: "dots \(style)") }
  }

  /// A part of a bar: which it is of a legend, by colour and, where there is room, by number; and what a reader is told
  /// who points at it.
  mutating func part(_ place: Int, from start: Double, to end: Double, _ y: Double, note: String?) {
    let (width, fill) = (max(end - start, 0), place % ChartStyle.fills)
    add(
      "M\(Self.point(start, y))h\(Self.digits(width))v11h\(Self.digits(-width))z",
      style: "fill\(fill)", note: note)
    guard width > 9 else { return }
    text("\(place + 1)", start + width / 2, y + 9, style: "on on\(fill)")
  }

  /// The colours and numbers of a bar's parts, two a line.
  ///
  /// - Returns: where what follows begins.
  mutating func legend(_ names: [String]) -> Double {
    for (place, name) in names.enumerated() {
      let (x, y) = (4 + Double(place % 2) * 178, 4 + Double(place / 2) * 17)
      part(place, from: x, to: x + 14, y, note: nil)
      text(name, x + 19, y + 10, room: 155)
    }
    return Double((names.count + 1) / 2) * 17 + 10
  }

  /// The forms of marks, which tell apart what colours tell as well.
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

  /// The mark of one of several curves: of one colour the next time with another form.
  mutating func mark(_ number: Int, _ x: Double, _ y: Double) {
    let forms = Mark.allCases
    mark(
      forms[(number + number / ChartStyle.fills) % forms.count], x, y,
      style: "fill\(number % ChartStyle.fills)")
  }

  /// A path, with what a reader is told who points at it.
  private mutating func add(_ path: String, style: String, note: String? = nil) {
    let start = "<path d=\"\(path)\" class=\"\(style)\""
    elements.append(
      note.map { "\(start)><title>\($0.markupEscaped)</title></path>" } ?? start + "/>")
  }

  /// Two numbers, in tenths of a unit: finer cannot be seen.
  private static func point(_ x: Double, _ y: Double) -> String { "\(digits(x)) \(digits(y))" }

  private static func digits(_ value: Double) -> String { ((value * 10).rounded() / 10).digits }
}

/// How drawings look: in Okabe and Ito's colours (jfly.uni-koeln.de/color), which colour-blind readers tell apart. Each
/// filled form has an outline in the ink's colour, whose contrast with the ground is far above 3:1, and what a colour
/// says a word, a number or a form says too.
enum ChartStyle {
  /// The rules for drawings, and the colours of a page, by light and by dark.
  static let rules = String(decoding: PackageResources.chart_css, as: UTF8.self)

  static let fills = 8
}
