import BenchAnalysis
import Foundation

extension RatioChart {
  /// The picture for any medium. In characters, each cost has a line: its name, its interval and its verdict.
  var picture: Part.Picture {
    Part.Picture(
      title: title, lines: { lines(on: $0) },
      legend:
        "─ is the 95 % interval of a change, or the middle 80 % of alike pairs. █ is the estimate, and"
        + " the two │ are ±2 %. Right is slower."
        + (isClipped ? " An arrow means that the interval goes on." : ""),
      page: [chart].html)
  }

  private var isClipped: Bool {
    rows.compactMap(\.comparison?.interval).contains { max(log($0.high), -log($0.low)) > reach }
  }

  /// Returns the ticks, the costs, and how many more there are.
  private func lines(on terminal: Terminal) -> [String] {
    let names = names
    let whole = names.map(\.displayWidth).max() ?? 0
    func room(_ texts: [String]) -> Int {
      terminal.width - (texts.map(\.displayWidth).max() ?? 0) - 2 * Bar.gap.count
    }
    var texts = rows.map { Self.words($0, isShort: false) }
    // Short words leave room for whole names and a readable bar.
    if room(texts) < whole + 25 { texts = rows.map { Self.words($0, isShort: true) } }
    let half = (min(max(room(texts) - whole, 15), 41) - 1) / 2
    let bar = Bar(half: half, tick: log(tick), reach: reach)
    let width = max(min(whole, room(texts) - 2 * half - 1), 1)
    let lines = rows.indices.map { place in
      // Names that do not fit need no columns.
      let words = whole > width ? names[place].split(separator: " ") : [Substring(names[place])]
      let name = words.joined(separator: " ").shortened(to: width).padded(to: width)
      let verdict = terminal.painted(texts[place], rows[place].moved?.tone)
      return [name, bar.text(rows[place].comparison), verdict].joined(separator: Bar.gap)
    }
    return [bar.ticks(from: width + Bar.gap.count)] + lines
      + (rest > 0 ? ["and \(Wording.plural(rest, "more cost"))"] : [])
  }
}

/// The middle part of the lines: an axis of equal ratios.
private struct Bar {
  static let gap = "  "
  /// The columns on either side of the middle one.
  let half: Int
  /// The tick and the end of the axis, as natural logarithms.
  let tick: Double
  let reach: Double

  /// Returns the column of a logarithm; those beyond the axis are at its end.
  private func place(_ change: Double) -> Int {
    half + Int((Double(half) * min(max(change / reach, -1), 1)).rounded())
  }

  func text(_ row: RowComparison?) -> String {
    var cells = Array(repeating: " ", count: 2 * half + 1)
    let interval = row?.interval.map { $0.map { log($0) } }
    if let interval {
      for column in place(interval.low)...place(interval.high) { cells[column] = "─" }
    }
    // The band never falls together with the middle.
    let edge = max(place(log(Wording.same.high)) - half, 1)
    for (column, mark) in [
      (place(-tick), "·"), (half - edge, "│"), (half + edge, "│"), (place(tick), "·"),
    ] { cells[column] = cells[column] == "─" ? "┼" : mark }
    if let ratio = row?.ratio { cells[place(log(ratio))] = "█" }
    if let interval, interval.low < -reach { cells[0] = "←" }
    if let interval, interval.high > reach { cells[2 * half] = "→" }
    return cells.joined()
  }

  /// Returns the line of ticks above bars that start at a column.
  func ticks(from start: Int) -> String {
    [-tick, 0, tick].reduce("") { line, change in
      let name = change == 0 ? "±2 %" : Wording.shift(exp(change))
      return line.padded(to: start + place(change) - name.count / 2) + name
    }
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }
}
