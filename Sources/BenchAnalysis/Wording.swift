import BenchResults
import Foundation

/// How figures read to people: scaled to three digits, with a unit, the same in every locale.
package enum Wording {
  /// A duration in nanoseconds: `412 ns`, `51.3 µs`, `1.20 ms`, `3.05 s`; whole nanoseconds from 10
  /// on, since no clock gives less.
  package static func time(_ nanoseconds: Double) -> String {
    let isFine = abs(nanoseconds) < 9.5
    return scaled(
      isFine ? nanoseconds : nanoseconds.rounded(), units: ["ns", "µs", "ms", "s"])
  }

  /// How long something takes, for whoever waits: `40 s`, `3 min`.
  package static func wait(_ seconds: Double) -> String {
    seconds < 90 ? "\(Int(seconds.rounded())) s" : "\(Int((seconds / 60).rounded())) min"
  }

  /// A size in bytes, in decimal units: `512 B`, `1.64 MB`.
  package static func bytes(_ count: Double) -> String {
    scaled(count, units: ["B", "kB", "MB", "GB", "TB"])
  }

  /// A count with thousands separated: `11,037`; one decimal where it is no whole number.
  package static func count(_ number: Double) -> String {
    grouped(fixed(number, decimals: number == number.rounded() ? 0 : 1))
  }

  package static func count(_ number: Int) -> String { count(Double(number)) }

  /// A share of 1 as a percentage: `4.2 %`, `12 %`.
  package static func percent(_ share: Double) -> String {
    let value = share * 100
    return fixed(value, decimals: abs(value) < 9.95 ? 1 : 0) + " %"
  }

  /// How far a figure may be off: `±4.2 %`; `<0.1 %` where nothing is left at one decimal, since no
  /// measurement is free of doubt.
  package static func precision(_ share: Double) -> String {
    let text = percent(share)
    return text == "0.0 %" ? "<0.1 %" : "±" + text
  }

  /// A multiple: `1.07×`, `12.3×`, `1,234×`.
  package static func multiple(_ ratio: Double) -> String {
    digits(ratio, least: ratio < 1 ? 2 : 0) + "×"
  }

  /// The largest multiple that is said in digits: what is thousands of times the best is no rival of
  /// it, and how many thousands is the best's noise.
  private static let largestMultiple = 1_000.0

  /// A multiple as a table sets it beside others of its kind: `12.3×`, `> 1,000×` above that.
  package static func boundedMultiple(_ ratio: Double) -> String {
    ratio > largestMultiple
      ? "> " + grouped(fixed(largestMultiple, decimals: 0)) + "×" : multiple(ratio)
  }

  /// A multiple of the best of a group: `best`, `≈ best` where it is too close to call, `12.3×`, and
  /// `≥ 12.3×` of a best of which only an upper bound is known.
  package static func multipleOfBest(
    _ ratio: Double, isClose: Bool, isAtLeast: Bool = false
  ) -> String {
    if ratio == 1 { return "best" }
    if isClose { return "≈ best" }
    return (isAtLeast && ratio <= largestMultiple ? "≥ " : "") + boundedMultiple(ratio)
  }

  /// Three digits, so many decimals at least, thousands separated.
  private static func digits(_ value: Double, least: Int) -> String {
    let decimals = abs(value) < 9.995 ? 2 : abs(value) < 99.95 ? 1 : 0
    return grouped(fixed(value, decimals: max(decimals, least)))
  }

  private static func scaled(_ value: Double, units: [String]) -> String {
    var (value, unit) = (value, 0)
    while abs(value) >= 999.5, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
    let isWhole = unit == 0 && value == value.rounded()
    return (isWhole ? grouped(fixed(value, decimals: 0)) : digits(value, least: 0)) + " "
      + units[unit]
  }

  /// A metric's value in the unit that suits its size.
  package static func value(_ value: Double, _ unit: BenchResults.Unit) -> String {
    switch unit {
    case .nanoseconds: time(value)
    case .bytes: bytes(value)
    case .count: count(value)
    case .percent: percent(value / 100)
    }
  }

  /// From one value to another, the unit said once where it is the same: `1.14–1.20 ms`.
  package static func range(_ range: Interval, _ unit: BenchResults.Unit) -> String {
    let (low, high) = (value(range.low, unit), value(range.high, unit))
    let parts = low.split(separator: " ", maxSplits: 1)
    return parts.count == 2 && high.hasSuffix(" \(parts[1])")
      ? "\(parts[0])–\(high)" : "\(low)–\(high)"
  }

  /// Two values of a metric, in whole units where they would read alike and are not: `1,850,112 B`.
  package static func values(
    _ first: Double, _ second: Double, _ unit: BenchResults.Unit
  ) -> (String, String) {
    let texts = (value(first, unit), value(second, unit))
    guard texts.0 == texts.1, first != second else { return texts }
    let suffix: [BenchResults.Unit: String] = [.nanoseconds: " ns", .bytes: " B"]
    return suffix[unit].map { (count(first) + $0, count(second) + $0) } ?? texts
  }

  /// A metric's value, or that it is below what can be told from the clock's own cost: `< 82 ns`.
  package static func value(_ value: Double, _ unit: BenchResults.Unit, leastTellable: Double?)
    -> String
  {
    guard let leastTellable, value < leastTellable else { return self.value(value, unit) }
    return "< " + self.value(leastTellable, unit)
  }

  /// What a ratio means: `1.07× slower`, `1.30× faster`, `1.25× more`; `same` of 1; of an exact figure
  /// or instructions that changed by less than a tenth `+0.2 %`.
  ///
  /// A ratio below 1 is turned over, so that the figure is never below 1; nobody has to guess
  /// whether 107 % is seven or a hundred and seven more.
  ///
  /// - Parameter isExact: a multiple has hundredths, which an interval's ends have as well, and an exact
  ///   figure is told from no change by less than that; nil goes by the metric.
  package static func change(_ ratio: Double, _ metric: Metric, exact isExact: Bool? = nil)
    -> String
  {
    guard ratio > 0 else { return "down to 0" }
    let turned = ratio < 1 ? 1 / ratio : ratio
    if isExact ?? metric.isHard, ratio != 1, turned < 1.1 { return signedPercent(ratio - 1) }
    let figure = multiple(turned)
    guard ratio != 1, figure != "1.00×" else { return "same" }
    return figure + " " + direction(isLarger: ratio > 1, metric.unit)
  }

  /// A small share with its sign, and with as many decimals as show that it is none: `+0.2 %`.
  private static func signedPercent(_ share: Double) -> String {
    let decimals = (1...7).first { fixed(share * 100, decimals: $0) != fixed(0, decimals: $0) } ?? 7
    return (share > 0 ? "+" : "") + fixed(share * 100, decimals: decimals) + " %"
  }

  private static func direction(isLarger: Bool, _ unit: BenchResults.Unit) -> String {
    switch unit {
    case .nanoseconds: isLarger ? "slower" : "faster"
    case .bytes: isLarger ? "larger" : "smaller"
    case .count: isLarger ? "more" : "fewer"
    case .percent: isLarger ? "more" : "less"
    }
  }

  /// Some names, and how many more there are: `a, b, c and 9 more`.
  package static func list(_ names: [String], most: Int = 3) -> String {
    let shown = names.prefix(most).joined(separator: ", ")
    return names.count > most ? "\(shown) and \(count(names.count - most)) more" : shown
  }

  /// A number of things with their plural: `1 category`, `2 categories`.
  package static func counted(_ number: Int, of plural: String) -> String {
    guard number == 1 else { return "\(count(number)) \(plural)" }
    let noun =
      plural.hasSuffix("ies")
      ? plural.dropLast(3) + "y" : plural.dropLast(plural.hasSuffix("s") ? 1 : 0)
    return "1 \(noun)"
  }

  /// A number with its noun: `1 row`, `2 rows`.
  package static func plural(_ number: Int, _ noun: String) -> String {
    "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// A number with so many decimals and a point, in every locale.
  static func fixed(_ value: Double, decimals: Int) -> String {
    let text = String(format: "%.\(decimals)f", value)
    return text.hasPrefix("-") && !text.contains { ("1"..."9").contains($0) }
      ? String(text.dropFirst()) : text
  }

  /// A number's text with a comma after every third digit before the point.
  static func grouped(_ text: String) -> String {
    let whole = text.prefix { $0 != "." }
    guard whole.allSatisfy({ $0.isNumber || $0 == "-" }) else { return text }
    var grouped = text
    for place in stride(from: whole.count - 3, to: whole.hasPrefix("-") ? 1 : 0, by: -3) {
      grouped.insert(",", at: grouped.index(grouped.startIndex, offsetBy: place))
    }
    return grouped
  }

  /// A difference with its sign and unit: `+1`, `-64 B`; `0` of none.
  package static func difference(_ difference: Double, _ unit: BenchResults.Unit) -> String {
    let text = value(difference, unit)
    return difference > 0 ? "+" + text : text
  }

  /// A row's change: of the hard tier the figure and what it means, `+1 (+0.01 %)`, or the largest
  /// samples where these decided; of others the meaning alone. Nil where neither is known.
  package static func change(_ row: RowComparison, _ metric: Metric) -> String? {
    if let most = row.most {
      let (then, now) = values(most.baseline, most.now, metric.unit)
      return "at most \(now), was \(then)"
    }
    let ratio = row.ratio.map { change($0, metric, exact: row.difference != nil) }
    guard let difference = row.difference, difference != 0 else { return ratio }
    let figure = self.difference(difference, metric.unit)
    return ratio.map { "\(figure) (\($0))" } ?? figure
  }

  /// Why a row is inconclusive, short enough for a table: `shows ≥ 1.04×`, `need 12 blocks`. The
  /// one place where doubts are worded, for tables, JUnit and annotations alike.
  package static func doubt(_ doubt: Doubt) -> String {
    switch doubt {
    case .wide(let smallest): "shows ≥ \(multiple(roundedUp(smallest)))"
    case .blocks(_, let need): "need \(plural(need, "block"))"
    case .notExact: "blocks differ"
    case .drift: "control moved"
    case .unconfirmed(_, let fresh, let need):
      fresh < need ? "\(count(fresh)) of \(count(need)) fresh" : "not confirmed"
    case .noRatio: "no ratio"
    }
  }

  /// The next ratio above that shows in as many digits as a multiple does: a smaller one than what
  /// the data could have shown must not be printed. A ratio that has no more digits stays.
  package static func roundedUp(_ ratio: Double) -> Double {
    let scale = ratio < 9.995 ? 100.0 : ratio < 99.95 ? 10 : 1
    return (ratio * scale - 1e-9).rounded(.up) / scale
  }

  /// An exponent: `1.04`.
  package static func exponent(_ exponent: Double) -> String { fixed(exponent, decimals: 2) }
}
