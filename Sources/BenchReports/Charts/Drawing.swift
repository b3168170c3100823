import Basics
import Foundation

/// A picture of lines, boxes, points and words in SVG, drawn top down at one width.
///
/// Its width is that of a narrow phone, so that words can be read there at their own size; a page shows it larger
/// where it has room. Colours are classes of ``ChartStyle``: a page in the dark has others.
struct Drawing {
  /// Units across; a unit is a CSS pixel where a drawing is shown at its own size.
  static let width = 360.0

  /// Units from top to bottom.
  var height = 0.0
  private var elements: [String] = []

  /// The elements so far.
  var body: String { elements.joined(separator: "\n") }

  /// About how wide words are, in units: nobody knows the reader's letters.
  static func width(of words: String) -> Double { 6 * Double(words.displayWidth) }

  /// The same of words in small letters.
  static func width(ofSmall words: String) -> Double { 5 * Double(words.displayWidth) }

  /// Words from a point on the baseline; their middle is left out where they would take more room than there is.
  mutating func text(
    _ words: String, _ x: Double, _ y: Double, anchor: Anchor = .start, style: String = "",
    room: Double? = nil
  ) {
    let words = room.map { words.displayable.shortened(to: Int($0 / Self.width(of: "n"))) } ?? words
    let classes = [anchor == .start ? "" : anchor.rawValue, style].filter { !$0.isEmpty }
    let looks = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    add(
      "<text x=\"\(Self.digits(x))\" y=\"\(Self.digits(y))\"\(looks)>\(words.markupEscaped)</text>")
  }

  /// Which point of words a position is of.
  enum Anchor: String {
    case start, middle, end
  }

  /// A box.
  mutating func box(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, style: String
  ) {
    boxes([(x, y, max(width, 0), max(height, 0))], style: style)
  }

  /// From where on, how wide and how high.
  typealias Box = (x: Double, y: Double, width: Double, height: Double)

  /// Boxes, all of one path.
  mutating func boxes(_ all: [Box], style: String, note: String? = nil) {
    guard !all.isEmpty else { return }
    let path = all.map { x, y, width, height in
      "M\(Self.point(x, y))h\(Self.digits(width))v\(Self.digits(height))h\(Self.digits(-width))z"
    }.joined()
    add(path, style: style, note: note)
  }

  /// A straight line.
  mutating func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, style: String
  ) {
    line(through: [(x1, y1), (x2, y2)], style: style)
  }

  /// A line through points; nothing of fewer than two.
  mutating func line(through points: [(x: Double, y: Double)], style: String) {
    lines(through: [points], style: style)
  }

  /// Several such lines, all of one path; nothing of those of fewer than two points.
  mutating func lines(through all: [[(x: Double, y: Double)]], style: String) {
    let path = all.filter { $0.count > 1 }.map { Self.path($0) }.joined()
    guard !path.isEmpty else { return }
    add(path, style: style)
  }

  /// Dots, all of one path: thousands take little room.
  mutating func dots(_ points: [(x: Double, y: Double)], style: String) {
    guard !points.isEmpty else { return }
    // In half units, a third of a point's radius.
    let places = points.map { (x: ($0.x * 2).rounded() / 2, y: $0.y.rounded()) }
    let path = Self.path(places, dot: "h0")
    add(path, style: "dots \(style)")
  }

  /// A path from point to point, a line or with a dot at each, by steps, which are shorter than places: between
  /// rounded ones, so that what is rounded does not add up.
  private static func path(_ points: [(x: Double, y: Double)], dot: String? = nil) -> String {
    let rounded = points.map { (x: tenths($0.x), y: tenths($0.y)) }
    let steps = zip(rounded, rounded.dropFirst()).map { one, next in
      let (x, y) = (next.x - one.x, next.y - one.y)
      if let dot { return "m\(point(x, y))\(dot)" }
      return y == 0 ? "h\(digits(x))" : x == 0 ? "v\(digits(y))" : "l\(point(x, y))"
    }
    return rounded.prefix(1).map { "M\(point($0.x, $0.y))\(dot ?? "")" }.joined() + steps.joined()
  }

  /// Where the blocks of a storage have their dots from a height on: those of one place are spread downwards, in the
  /// blocks' order.
  static func spread(_ places: [Double], y: Double) -> [(x: Double, y: Double)] {
    places.enumerated().map { ($1, y + Double($0 % 5) * 2) }
  }

  /// A mark of one of a few forms, which tell apart what colours tell as well.
  mutating func mark(_ form: Mark, _ x: Double, _ y: Double, style: String, note: String? = nil) {
    add(Self.path(form, x, y), style: style, note: note)
  }

  private static func path(_ form: Mark, _ x: Double, _ y: Double) -> String {
    switch form {
    case .circle: "M\(point(x - 4, y))a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"
    case .square: "M\(point(x - 3.5, y - 3.5))h7v7h-7z"
    case .diamond: "M\(point(x, y - 5))l5 5l-5 5l-5-5z"
    case .triangle: "M\(point(x, y - 5))l5 9h-10z"
    }
  }

  /// A part of a bar of several: which it is, from where to where, its top, and what a reader is told who points at it
  /// where it is too narrow for its number.
  typealias BarPart = (place: Int, start: Double, end: Double, y: Double, note: String)

  /// Parts of bars, each with its number in it where there is room; those of one colour are of one path.
  mutating func parts(_ all: [BarPart]) {
    for (fill, parts) in all.grouped(by: { $0.place % ChartStyle.fills }) {
      let style = "fill\(fill)"
      func box(_ part: BarPart) -> Box { (part.start, part.y, max(part.end - part.start, 0), 12) }
      let numbered = parts.filter { $0.end - $0.start > 9 }
      boxes(numbered.map(box), style: style)
      for part in parts where part.end - part.start <= 9 {
        boxes([box(part)], style: style, note: part.note)
      }
      for (place, parts) in numbered.grouped(by: \.place) {
        digits(
          of: place + 1, parts.map { (($0.start + $0.end) / 2, $0.y + 9) }, style: "on on\(fill)")
      }
    }
  }

  /// One number at several places: of a single digit it is one text, of which each letter has a place of its own.
  private mutating func digits(
    of number: Int, _ places: [(x: Double, y: Double)], style: String
  ) {
    guard number < 10 else {
      for place in places { text("\(number)", place.x, place.y, style: style) }
      return
    }
    let (x, y) = (places.map { Self.digits($0.x) }, places.map { Self.digits($0.y) })
    add(
      "<text x=\"\(x.joined(separator: " "))\" y=\"\(y.joined(separator: " "))\" class=\"\(style)\">"
        + String(repeating: "\(number)", count: places.count) + "</text>")
  }

  /// The colours and numbers of a bar's parts, two a line.
  ///
  /// - Returns: where what follows begins.
  mutating func legend(_ names: [String]) -> Double {
    let places = names.indices.map { (x: 4 + Double($0 % 2) * 178, y: 4 + Double($0 / 2) * 17) }
    parts(places.enumerated().map { ($0, $1.x, $1.x + 14, $1.y, "") })
    for (name, place) in zip(names, places) { text(name, place.x + 19, place.y + 10, room: 155) }
    return Double((names.count + 1) / 2) * 17 + 10
  }

  /// Whose marks are which, two a line, from a baseline on; the drawing ends with it.
  mutating func markLegend(_ names: [String], from first: Double) {
    for (number, name) in names.enumerated() {
      let (x, y) = (9 + Double(number % 2) * 178, first + Double(number / 2) * 15)
      mark(number, x, y - 4)
      text(name, x + 9, y, room: 162)
    }
    height = first + Double((names.count + 1) / 2) * 15
  }

  /// The mark of one of several curves.
  mutating func mark(_ number: Int, _ x: Double, _ y: Double) { marks(number, [(x, y)]) }

  /// The marks of one of several curves, all of one path.
  mutating func marks(_ number: Int, _ places: [(x: Double, y: Double)]) {
    guard !places.isEmpty else { return }
    let forms = Mark.allCases
    // Of one colour the next time with another form.
    let form = forms[(number + number / ChartStyle.fills) % forms.count]
    let path = places.map { Self.path(form, $0.x, $0.y) }.joined()
    add(path, style: "fill\(number % ChartStyle.fills)")
  }

  /// The forms of marks.
  enum Mark: CaseIterable {
    case circle, square, diamond, triangle
  }

  private mutating func add(_ element: String) { elements.append(element) }

  /// A path, with what a reader is told who points at it.
  private mutating func add(_ path: String, style: String, note: String? = nil) {
    let start = "<path d=\"\(path)\" class=\"\(style)\""
    add(note.map { "\(start)><title>\($0.markupEscaped)</title></path>" } ?? start + "/>")
  }

  /// Two numbers, in tenths of a unit: finer nobody sees.
  private static func point(_ x: Double, _ y: Double) -> String {
    let (x, y) = (digits(x), digits(y))
    return y.hasPrefix("-") ? x + y : "\(x) \(y)"
  }

  private static func digits(_ value: Double) -> String { tenths(value).digits }

  private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

/// How drawings look: in Okabe and Ito's colours (jfly.uni-koeln.de/color), which colour-blind readers tell apart. Each
/// filled form has an outline in the ink's colour, whose contrast with the ground is far above 3:1, and what a colour
/// says a word, a number or a form says too.
enum ChartStyle {
  /// The rules for drawings in a page.
  static let rules = """
    .chart text { font: 11px system-ui, sans-serif; fill: var(--ink); paint-order: stroke; stroke: var(--ground); stroke-width: 3px; stroke-linejoin: round; }
    .chart text.middle, .chart text.on { text-anchor: middle; } .chart text.end { text-anchor: end; }
    .chart text.small { font-size: 9px; } .chart text.strong { font-weight: 600; }
    .chart text.on { fill: #000; font-size: 9px; stroke: none; }
    .chart path { fill: none; } .chart .axis { stroke: var(--ink); stroke-width: 1; }
    .chart .grid { stroke: var(--line); stroke-width: .5; stroke-dasharray: 1 3; }
    .chart .halo { stroke: var(--ground); stroke-width: 4; stroke-linecap: square; }
    .chart .whisker { stroke: var(--ink); stroke-width: 1.5; }
    .chart .dots { stroke-linecap: round; stroke-width: 3; stroke: var(--ink); stroke-opacity: .55; }
    .chart .runs { stroke: var(--point); stroke-width: 5; stroke-opacity: 1; }
    .chart .box { fill: var(--soft); stroke: var(--ink); stroke-width: 1; }
    .chart path.middle { stroke: var(--ink); stroke-width: 2.5; }
    .chart .fit { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 1 3; stroke-linecap: round; }
    .chart .curve { stroke: var(--ink); stroke-width: 1; }
    .chart .frontier { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 5 3; }
    .chart .fill0, .chart .fill1, .chart .fill2, .chart .fill3, .chart .fill4, .chart .fill5, .chart .fill6, .chart .fill7 { stroke: var(--ink); stroke-width: .75; }
    .fill0 { fill: #e69f00 !important; } .fill1 { fill: #56b4e9 !important; } .fill2 { fill: #009e73 !important; }
    .fill3 { fill: #f0e442 !important; } .fill4 { fill: #0072b2 !important; } .fill5 { fill: #d55e00 !important; }
    .fill6 { fill: #cc79a7 !important; } .fill7 { fill: #ffffff !important; }
    .chart text.on4 { fill: #fff; }
    """

  /// The variables of a page, by light and by dark.
  static let variables = """
    :root { color-scheme: light dark; --ground: #fff; --ink: #1a1a1a; --line: #767676; --soft: #e4e4e4; --point: #0072b2; }
    @media (prefers-color-scheme: dark) { :root { --ground: #161616; --ink: #eee; --line: #999; --soft: #3a3a3a; --point: #56b4e9; } }
    """

  /// How many fills there are.
  static let fills = 8
}
