import Basics

/// A table that knows no format: columns, and rows of text.
struct TextTable {
  /// What stands for an unknown.
  static let unknown = "—"

  /// One column.
  struct Column: Sendable {
    var title: String
    var isNumber: Bool
    /// To how many terminal columns a long text may be shortened; nil for never.
    var shrinksTo: Int?
    /// Whether it may be left out: where no row knows it, and where the line has no room.
    var isOptional: Bool
    /// Whether it says more of the column before: where that has no room, neither has this.
    var isMore = false
    /// Whether others have no room before it has none.
    var isLast = false

    /// A column of names.
    static func text(_ title: String, shrinksTo: Int? = nil, isOptional: Bool = false) -> Column {
      Column(title: title, isNumber: false, shrinksTo: shrinksTo, isOptional: isOptional)
    }

    /// A column of ids, which somebody may search for: ours are never shortened, only what is far longer.
    static func id(_ title: String) -> Column { text(title, shrinksTo: longestID) }

    /// A name of more columns is cut in its middle: in 80 nothing else would have room.
    static let longestID = 40

    /// A column of figures, set to the right.
    static func number(_ title: String, isOptional: Bool = false) -> Column {
      Column(title: title, isNumber: true, shrinksTo: nil, isOptional: isOptional)
    }

    /// The column, which others make room for.
    var last: Column {
      var column = self
      column.isLast = true
      return column
    }

    /// The column, which may be left out where it might be before or where told.
    func optional(_ isOptional: Bool) -> Column {
      var column = self
      column.isOptional = self.isOptional || isOptional
      return column
    }
  }

  /// The columns.
  var columns: [Column]
  /// The rows, each with one text a column.
  var rows: [[String]]
  /// Whether rows that follow each other with one name in the first column belong together: a
  /// terminal shows the name once and a blank line before the next.
  var isGrouped: Bool
  /// How many rows at the head are of no thing that compares with the others, such as weights: no sorting moves them.
  var pinned: Int
  /// What has the columns for which a terminal has no room; nil of a table whose first column tells its rows apart, which
  /// goes on below with them.
  var whole: String?
  /// A bar at the end of each row, as a part of the longest, and what bars are of; nil of a table without.
  /// Drawn where lines have room for them, and nowhere but on a terminal.
  var bars: (title: String, parts: [Double])?

  /// Makes a table, leaving out optional columns that no row knows.
  init(
    columns: [Column], rows: [[String]], isGrouped: Bool = false, pinned: Int = 0,
    whole: String? = "csv"
  ) {
    (self.isGrouped, self.pinned, self.whole) = (isGrouped, pinned, whole)
    let kept = columns.indices.filter { index in
      !columns[index].isOptional || rows.contains { $0[index] != Self.unknown && $0[index] != "" }
    }
    self.columns = kept.map { columns[$0] }
    self.rows = rows.map { row in kept.map { row[$0] } }
  }

  /// The table with some of its columns alone.
  private func with(_ kept: [Int]) -> TextTable {
    var table = self
    table.columns = kept.map { columns[$0] }
    table.rows = rows.map { row in kept.map { row[$0] } }
    return table
  }
}

extension TextTable {
  private static let gap = 2

  /// Lines of at most so many terminal columns, and a note of what had no room.
  ///
  /// Where they do not fit with their names shortened, words that are the same in every row are said once, below; then
  /// optional columns are left out, the last one first, and at last the others: a figure cut in its middle would be
  /// another one.
  func text(width: Int) -> [String] {
    let table = displayable
    var kept = Array(columns.indices)
    var (same, dropped) = ([String](), [Int]())
    var isTooWide: Bool { table.with(kept).leastWidth > width }
    while isTooWide, let place = kept.lastIndex(where: table.isSame) {
      let index = kept.remove(at: place)
      same.insert("\(columns[index].title): \(table.rows[0][index])", at: 0)
    }
    while isTooWide, kept.count > 1 {
      var place =
        kept.lastIndex { columns[$0].isOptional && !columns[$0].isLast }
        ?? kept.lastIndex { columns[$0].isOptional } ?? kept.count - 1
      while place > 1, columns[kept[place]].isMore { place -= 1 }
      let end = kept[(place + 1)...].firstIndex { !columns[$0].isMore } ?? kept.count
      dropped.insert(contentsOf: kept[place..<end], at: 0)
      kept.removeSubrange(place..<end)
    }
    let lines =
      table.with(kept).laidOut(width: width)
      + (same.isEmpty
        ? [] : "(in every row: \(same.joined(separator: ", ")))".wrapped(to: width))
    guard !dropped.isEmpty else { return lines }
    guard let whole else {
      var rest = table.with([0] + dropped)
      (rest.bars, rest.whole) = (nil, kept.count > 1 ? nil : "csv")
      return lines + [""] + rest.text(width: width)
    }
    let titles = dropped.map { columns[$0].title }.joined(separator: ", ")
    return lines + "(no room for: \(titles); \(whole) has all)".wrapped(to: width)
  }

  /// Whether all of some rows have the same words there.
  private func isSame(_ index: Int) -> Bool {
    index > 0 && !columns[index].isNumber && rows.count > 1 && rows[0][index] != ""
      && rows.allSatisfy { $0[index] == rows[0][index] }
  }

  private var displayable: TextTable {
    var table = self
    table.rows = rows.map { $0.map(\.displayable) }
    return table
  }

  /// The widest text of every column.
  private var widths: [Int] {
    columns.indices.map { index in
      rows.reduce(columns[index].title.displayWidth) { max($0, $1[index].displayWidth) }
    }
  }

  /// What the table takes with every name as short as it may get.
  private var leastWidth: Int {
    let least = zip(columns, widths).map { column, width in
      min(width, max(column.shrinksTo ?? width, column.title.displayWidth))
    }
    return Self.total(least)
  }

  private static func total(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + gap * max(0, widths.count - 1)
  }

  private func laidOut(width: Int) -> [String] {
    var widths = widths
    while Self.total(widths) > width, let index = widest(widths) { widths[index] -= 1 }
    let rule = widths.map { String(repeating: "─", count: $0) }
    let heads = [columns.map(\.title), rule]
    let room = width - Self.total(widths) - Self.gap
    guard let bars, bars.parts.count == rows.count, !isGrouped,
      room >= max(Self.leastBar, bars.title.displayWidth)
    else {
      return (heads + spaced).map { row in line(row, widths).shortened(to: width) }
    }
    let longest = min(room, max(Self.longestBar, bars.title.displayWidth))
    let ends =
      [bars.title, String(repeating: "─", count: longest)]
      + bars.parts.map { Self.bar($0, width: longest) }
    return zip(heads + rows, ends).map { row, end in
      let text = line(row, widths)
      return text + String(repeating: " ", count: Self.total(widths) + Self.gap - text.displayWidth)
        + end
    }
  }

  /// From here on a bar tells something, and no longer one tells more.
  private static let (leastBar, longestBar) = (6, 16)

  /// A part of so many columns, in eighths of one; the smallest is seen.
  private static func bar(_ part: Double, width: Int) -> String {
    let eighths = max(1, Int((min(max(part, 0), 1) * Double(width * 8)).rounded()))
    let rest = eighths % 8
    let last = rest == 0 ? "" : String(["▏", "▎", "▍", "▌", "▋", "▊", "▉"][rest - 1])
    return String(repeating: "█", count: eighths / 8) + last
  }

  /// The rows, where they are grouped with each name once and an empty row between the groups.
  private var spaced: [[String]] {
    let repeats = rows.indices.map { $0 > 0 && rows[$0].first == rows[$0 - 1].first }
    guard isGrouped, repeats.contains(true) else { return rows }
    return rows.indices.flatMap { index -> [[String]] in
      if repeats[index] { return [[""] + rows[index].dropFirst()] }
      return index == 0 ? [rows[index]] : [columns.map { _ in "" }, rows[index]]
    }
  }

  /// The widest column that may still shrink.
  private func widest(_ widths: [Int]) -> Int? {
    columns.indices.filter { index in
      guard let least = columns[index].shrinksTo else { return false }
      return widths[index] > max(least, columns[index].title.displayWidth)
    }.max { widths[$0] < widths[$1] }
  }

  private func line(_ row: [String], _ widths: [Int]) -> String {
    let cells = row.indices.map { index in
      let text = row[index].shortened(to: widths[index])
      let pad = String(repeating: " ", count: max(0, widths[index] - text.displayWidth))
      return columns[index].isNumber ? pad + text : text + pad
    }
    let line = cells.joined(separator: String(repeating: " ", count: Self.gap))
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}

extension TextTable {
  /// The table as GitHub-flavoured Markdown, every text escaped.
  var markdown: [String] {
    let rule = columns.map { $0.isNumber ? "---:" : "---" }
    let texts = ([columns.map(\.title)] + rows).map { $0.map(\.markdownEscaped) }
    return ([texts[0], rule] + texts.dropFirst()).map {
      "| " + $0.joined(separator: " | ") + " |"
    }
  }
}

extension String {
  /// The text as HTML or SVG that shows it as it is, on one line, in an attribute or between tags, and leaves what
  /// stands beside it where it stands.
  var markupEscaped: String {
    isPlain ? self : displayable.isolated.replacing(Self.entities)
  }

  /// The text as XML 1.0 that has it as it is, on one line, in an attribute or between tags; what that cannot hold at
  /// all, such as most control characters, becomes `�`.
  var xmlEscaped: String { isPlain ? self : displayable.replacing(Self.entities) }

  /// Whether it is as it is shown: most texts are, and pages have very many.
  private var isPlain: Bool {
    utf8.allSatisfy { (0x20..<0x7F).contains($0) && !Self.markup.contains($0) }
  }

  /// The text with what is read from right to left set apart, a name at a time: it would turn the order of the words
  /// and figures beside it, too.
  ///
  /// Source: Unicode Standard Annex 9, FSI and PDI.
  private var isolated: String {
    guard unicodeScalars.contains(where: \.isFromRightToLeft) else { return self }
    var result = String.UnicodeScalarView()
    // What may stand between two words of one name.
    var between: [Unicode.Scalar] = []
    var isWithin = false
    for scalar in unicodeScalars {
      if scalar.isFromRightToLeft {
        if !isWithin { result.append("\u{2068}") }
        result.append(contentsOf: between + [scalar])
        (isWithin, between) = (true, [])
      } else if isWithin, scalar == " " || scalar == "-" || scalar == "'" {
        between.append(scalar)
      } else {
        if isWithin { result.append("\u{2069}") }
        result.append(contentsOf: between + [scalar])
        (isWithin, between) = (false, [])
      }
    }
    if isWithin { result.append("\u{2069}") }
    result.append(contentsOf: between)
    return String(result)
  }

  private static let entities: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\u{FFFE}": "\u{FFFD}",
    "\u{FFFF}": "\u{FFFD}",
  ]

  private static let markup = Set("&<>\"".utf8)
  private static let escapesOfMarkdown = Dictionary(
    uniqueKeysWithValues: "\\|*`[]<>".unicodeScalars.map { ($0, "\\\($0)") })

  /// The text as Markdown that shows it as it is, on one line, in a table or out of it.
  var markdownEscaped: String {
    displayable.replacing(Self.escapesOfMarkdown)
  }
}

extension String {
  /// The text with its middle replaced by `…` where it is wider than so many columns; both ends
  /// stay, since names that begin alike often end differently.
  func shortened(to width: Int) -> String {
    guard displayWidth > width else { return self }
    guard width > 1 else { return width == 1 ? "…" : "" }
    let tail = String(String(reversed()).prefix(columns: (width - 1) / 2).reversed())
    return prefix(columns: width - 1 - tail.displayWidth) + "…" + tail
  }

  /// The longest beginning that takes at most so many columns.
  package func prefix(columns: Int) -> String {
    var (used, result) = (0, "")
    for character in self {
      used += character.displayWidth
      guard used <= columns else { break }
      result.append(character)
    }
    return result
  }

  /// The text in lines of at most so many columns, broken at spaces where there are any; all lines
  /// but the first are indented.
  package func wrapped(to width: Int, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      let isFirst = line.allSatisfy { $0 == " " }
      let candidate = isFirst ? line + word : line + " " + word
      if candidate.displayWidth <= width {
        line = candidate
        continue
      }
      if !isFirst { lines.append(line) }
      let broken = (lines.isEmpty ? String(word) : margin + word).broken(at: width, margin: margin)
      lines += broken.dropLast()
      line = broken.last ?? ""
    }
    return lines + [line]
  }

  /// A word longer than a line, cut wherever the line ends.
  private func broken(at width: Int, margin: String) -> [String] {
    var (lines, line, used) = ([String](), "", 0)
    for character in self {
      if used + character.displayWidth > width, used > margin.count {
        lines.append(line)
        (line, used) = (margin, margin.count)
      }
      line.append(character)
      used += character.displayWidth
    }
    return lines + [line]
  }

  /// The text on one line and without what would command a terminal: breaks and tabs become spaces,
  /// other control and direction characters `�`.
  var displayable: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t", "\u{2028}", "\u{2029}": result.append(" ")
      default: result.append(scalar.isCommand ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }
}

extension StringProtocol {
  /// Columns that the text takes on a terminal: none for combining marks and joiners, two for East
  /// Asian wide characters and emoji, one for everything else, Cyrillic included.
  ///
  /// Source of the wide ranges: Unicode Standard Annex 11, East Asian Width, classes W and F.
  package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }
}

extension Character {
  /// Columns that the character takes; an emoji sequence takes two, however many scalars it has.
  var displayWidth: Int {
    let isEmoji = unicodeScalars.contains {
      $0.properties.isEmojiPresentation || $0 == "\u{FE0F}"
    }
    return isEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }
}

extension Unicode.Scalar {
  /// Whether a terminal does something for it rather than show it: control characters, and those that turn the
  /// direction of text.
  package var isCommand: Bool {
    switch self {
    case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
    default: properties.generalCategory == .control
    }
  }

  /// Whether it is a letter, or what goes with one, of a script that is read from right to left: Hebrew, Arabic and
  /// their neighbours.
  fileprivate var isFromRightToLeft: Bool {
    switch value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }

  fileprivate var displayWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: 0
    default: isWide ? 2 : isJoined ? 0 : 1
    }
  }

  /// Whether it is a vowel or an end of a Hangul syllable, which has the columns of the consonant before it.
  private var isJoined: Bool {
    (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value)
  }

  private var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18DFF,
      0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
