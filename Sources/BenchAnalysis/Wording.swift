import BenchResults
import Foundation

/// Formats figures for people: scaled to three digits, with a unit, the same in every locale.
package enum Wording {
  /// Formats a duration in nanoseconds: `412 ns`, `51.3 µs`, `1.20 ms`, `3.05 s`. From 10 ns on it
  /// is rounded to whole nanoseconds, since no clock is finer.
  package static func time(_ nanoseconds: Double) -> String {
    let isFine = abs(nanoseconds) < 9.5
    return scaled(
      isFine ? nanoseconds : nanoseconds.rounded(), units: ["ns", "µs", "ms", "s"])
  }

  /// Formats a waiting time in seconds: `40 s`, `3 min`.
  package static func wait(_ seconds: Double) -> String {
    seconds < 90 ? "\(Int(seconds.rounded())) s" : "\(Int((seconds / 60).rounded())) min"
  }

  /// Formats a size in bytes, in decimal units: `512 B`, `1.64 MB`.
  package static func bytes(_ count: Double) -> String {
    scaled(count, units: ["B", "kB", "MB", "GB", "TB"])
  }

  /// Formats a count with separated thousands: `11,037`. A fraction has one decimal.
  package static func count(_ number: Double) -> String {
    grouped(fixed(number, decimals: number == number.rounded() ? 0 : 1))
  }

  package static func count(_ number: Int) -> String { count(Double(number)) }

  /// Formats a share of 1 as a percentage: `4.2 %`, `12 %`.
  package static func percent(_ share: Double) -> String {
    let value = share * 100
    return fixed(value, decimals: abs(value) < 9.95 ? 1 : 0) + " %"
  }

  /// Formats the error of a figure: `±4.2 %`. It is `<0.1 %` instead of `±0.0 %`, since no
  /// measurement is free of doubt.
  package static func precision(_ share: Double) -> String {
    let text = percent(share)
    return text == "0.0 %" ? "<0.1 %" : "±" + text
  }

  /// Formats a multiple: `1.07×`, `12.3×`, `1,234×`.
  package static func multiple(_ ratio: Double) -> String {
    digits(ratio, least: ratio < 1 ? 2 : 0) + "×"
  }

  /// The largest multiple shown in digits. Beyond it a backend cannot rival the best, and the exact
  /// figure depends on the best's noise.
  private static let largestMultiple = 1_000.0

  /// Formats a multiple for a table: `12.3×`, or `> 1,000×` above that.
  package static func boundedMultiple(_ ratio: Double) -> String {
    ratio > largestMultiple
      ? "> " + grouped(fixed(largestMultiple, decimals: 0)) + "×" : multiple(ratio)
  }

  /// Formats a multiple of the best of a group: `best`, `12.3×`, or `≈ best` if it is too close to
  /// call. It is `≥ 12.3×` if only an upper bound of the best is known. With a reference instead of the
  /// best: `1.00×`, `0.32×`, `≈ json`.
  package static func multipleOfBest(
    _ ratio: Double, isClose: Bool, isAtLeast: Bool = false, reference: String? = nil
  ) -> String {
    if ratio == 1 { return reference == nil ? "best" : multiple(1) }
    if isClose { return "≈ \(reference ?? "best")" }
    if ratio < 0.01 { return "< 0.01×" }
    return (isAtLeast && ratio <= largestMultiple ? "≥ " : "") + boundedMultiple(ratio)
  }

  /// Formats three digits, at least `least` decimals, and separated thousands.
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

  /// Formats a metric's value in the unit that suits its size.
  package static func value(_ value: Double, _ unit: BenchResults.Unit) -> String {
    switch unit {
    case .nanoseconds: time(value)
    case .bytes: bytes(value)
    case .count: count(value)
    case .percent: percent(value / 100)
    }
  }

  /// Formats a range, with the unit once if both ends share it: `1.14–1.20 ms`.
  package static func range(_ range: Interval, _ unit: BenchResults.Unit) -> String {
    let (low, high) = (value(range.low, unit), value(range.high, unit))
    let parts = low.split(separator: " ", maxSplits: 1)
    return parts.count == 2 && high.hasSuffix(" \(parts[1])")
      ? "\(parts[0])–\(high)" : "\(low)–\(high)"
  }

  /// Formats two values of a metric. Different values that would read alike are in whole units: `1,850,112 B`.
  package static func values(
    _ first: Double, _ second: Double, _ unit: BenchResults.Unit
  ) -> (String, String) {
    let texts = (value(first, unit), value(second, unit))
    guard texts.0 == texts.1, first != second else { return texts }
    let suffix: [BenchResults.Unit: String] = [.nanoseconds: " ns", .bytes: " B"]
    return suffix[unit].map { (count(first) + $0, count(second) + $0) } ?? texts
  }

  /// Formats a metric's value, or `< 82 ns` if the clock's own cost hides it.
  package static func value(_ value: Double, _ unit: BenchResults.Unit, resolutionLimit: Double?)
    -> String
  {
    guard let resolutionLimit, value < resolutionLimit else { return self.value(value, unit) }
    return "< " + self.value(resolutionLimit, unit)
  }

  /// Describes a ratio: `1.07× slower`, `1.30× faster`, `1.25× more`, or `same` for 1. Changes of
  /// hard metrics by less than a tenth read `+0.2 %`.
  ///
  /// A ratio below 1 is inverted, so that the figure is never below 1.
  ///
  /// - Parameter isExact: Whether a change below a tenth reads as a percentage. By default the
  ///   metric decides.
  package static func change(_ ratio: Double, _ metric: Metric, exact isExact: Bool? = nil)
    -> String
  {
    guard ratio > 0 else { return "down to 0" }
    let turned = ratio < 1 ? 1 / ratio : ratio
    if isExact ?? metric.isDeterministic, ratio != 1, turned < 1.1 {
      return signedPercent(ratio - 1)
    }
    let figure = multiple(turned)
    guard ratio != 1, figure != "1.00×" else { return "same" }
    return figure + " " + direction(isLarger: ratio > 1, metric.unit)
  }

  /// Formats a small share with its sign, and enough decimals to differ from 0: `+0.2 %`.
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

  /// Lists some names, and how many more there are: `a, b, c and 9 more`.
  package static func list(_ names: [String], most: Int = 3) -> String {
    let shown = names.prefix(most).joined(separator: ", ")
    return names.count > most ? "\(shown) and \(count(names.count - most)) more" : shown
  }

  /// Formats a count, given the plural: `1 category`, `2 categories`.
  package static func counted(_ number: Int, of plural: String) -> String {
    guard number == 1 else { return "\(count(number)) \(plural)" }
    let noun =
      plural.hasSuffix("ies")
      ? plural.dropLast(3) + "y" : plural.dropLast(plural.hasSuffix("s") ? 1 : 0)
    return "1 \(noun)"
  }

  /// Formats a count, given the singular: `1 row`, `2 rows`.
  package static func plural(_ number: Int, _ noun: String) -> String {
    "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Formats a number with `decimals` decimals and a point, in every locale.
  static func fixed(_ value: Double, decimals: Int) -> String {
    let text = String(format: "%.\(decimals)f", value)
    return text.hasPrefix("-") && !text.contains { ("1"..."9").contains($0) }
      ? String(text.dropFirst()) : text
  }

  /// Separates the thousands before the decimal point by commas.
  static func grouped(_ text: String) -> String {
    let whole = text.prefix { $0 != "." }
    guard whole.allSatisfy({ $0.isNumber || $0 == "-" }) else { return text }
    var grouped = text
    for place in stride(from: whole.count - 3, to: whole.hasPrefix("-") ? 1 : 0, by: -3) {
      grouped.insert(",", at: grouped.index(grouped.startIndex, offsetBy: place))
    }
    return grouped
  }

  /// Formats a difference with its sign and unit: `+1`, `-64 B`; `0` if there is none.
  package static func difference(_ difference: Double, _ unit: BenchResults.Unit) -> String {
    let text = value(difference, unit)
    return difference > 0 ? "+" + text : text
  }

  /// Describes a row's change, or nil if it is unknown. Hard metrics have the difference and its meaning,
  /// `+1 (+0.01 %)`, or the largest samples if these decided; others have the shift alone.
  package static func change(_ row: RowComparison, _ metric: Metric) -> String? {
    if let most = row.most {
      let (then, now) = values(most.baseline, most.now, metric.unit)
      return "at most \(now), was \(then)"
    }
    guard let difference = row.difference else { return row.ratio.map { shift($0) } }
    let ratio = row.ratio.map { change($0, metric, exact: true) }
    guard difference != 0 else { return ratio }
    let figure = self.difference(difference, metric.unit)
    return ratio.map { "\(figure) (\($0))" } ?? figure
  }

  /// Formats how far a ratio is from 1: `+5.9 %`, `-12 %`, or from a doubling on the multiple, `2.30×`.
  package static func shift(_ ratio: Double) -> String {
    guard ratio < 2 else { return multiple(ratio) }
    let share = 100 * (ratio - 1)
    let text = fixed(share, decimals: abs(share) < 9.95 || share < -99 ? 1 : 0) + " %"
    return share > 0 && text != "0.0 %" ? "+" + text : text
  }

  /// Does the same with an interval: `+5.9 % (4.9–6.9)`, or `+0.4 % (-1.2 % to +2.0 %)` if it contains no change.
  package static func shift(_ ratio: Double, within interval: Interval) -> String {
    guard interval.high <= 1 || interval.low >= 1 && interval.high < 2 else {
      return "\(shift(ratio)) (\(shift(interval.low)) to \(shift(interval.high)))"
    }
    let sizes = [interval.low, interval.high].map { abs(100 * ($0 - 1)) }.sorted()
    let decimals = sizes[1] < 9.95 || interval.width < 0.02 ? 1 : 0
    let ends = sizes.map { fixed($0, decimals: decimals) }
    return "\(shift(ratio)) (\(ends.joined(separator: "–")))"
  }

  /// The ratios between which a time is the same.
  package static let same = Interval(
    low: exp(-Judge.smallestEffect), high: exp(Judge.smallestEffect))

  /// Names a verdict for people: `slower`, `faster`, `same` or `cannot say, up to +14 %`. Counts are `more` or
  /// `fewer`, and sizes `larger` or `smaller`.
  package static func verdict(_ verdict: Verdict, _ metric: Metric) -> String {
    switch verdict {
    case .regressed, .improved:
      direction(isLarger: (verdict == .regressed) == (metric.better == .lower), metric.unit)
    case .unchanged: "same"
    case .inconclusive(let doubt): "cannot say, \(self.doubt(doubt))"
    case .overLimit: "over its limit"
    case .new, .missing, .belowFloor: verdict.id
    }
  }

  /// Describes what an undecided row leaves open, short enough for a table: `up to +14 %`,
  /// `need 6 blocks`. Tables, JUnit and annotations all use it.
  package static func doubt(_ doubt: Doubt) -> String {
    switch doubt {
    case .wide(let ratio): ratio > 1 ? "up to \(shift(ratio))" : "perhaps faster"
    case .blocks(_, let need): "need \(plural(need, "block"))"
    case .notExact: "blocks differ"
    case .drift: "control moved"
    case .noRatio: "no ratio"
    }
  }

  /// Formats an exponent: `1.04`.
  package static func exponent(_ exponent: Double) -> String { fixed(exponent, decimals: 2) }
}
