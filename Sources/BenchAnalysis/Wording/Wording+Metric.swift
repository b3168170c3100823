import BenchResults

extension Wording {
  /// A metric's value in the unit that suits its size.
  public static func value(_ value: Double, _ unit: Unit) -> String {
    switch unit {
    case .nanoseconds: time(value)
    case .bytes: bytes(value)
    case .count: count(value)
    case .percent: percent(value / 100)
    }
  }

  /// A metric's value, or that it is below what can be told from the clock's own cost: `< 82 ns`.
  public static func value(_ value: Double, _ unit: Unit, leastTellable: Double?) -> String {
    guard let leastTellable, value < leastTellable else { return self.value(value, unit) }
    return "< " + self.value(leastTellable, unit)
  }

  /// What a ratio means: `1.07× slower`, `1.30× faster`, `1.02× more`; `same` of 1.
  ///
  /// A ratio below 1 is turned over, so that the figure is never below 1; nobody has to guess
  /// whether 107 % is seven or a hundred and seven more.
  public static func change(_ ratio: Double, _ metric: Metric) -> String {
    change(ratio, metric, exact: metric.isExact)
  }

  /// The same, of an exact figure with all the digits that tell it from no change.
  static func change(_ ratio: Double, _ metric: Metric, exact: Bool) -> String {
    guard ratio > 0 else { return "down to 0" }
    let figure = multiple(ratio < 1 ? 1 / ratio : ratio, exact: exact)
    guard ratio != 1, figure != "1.00×" else { return "same" }
    return figure + " " + direction(isLarger: ratio > 1, metric.unit)
  }

  private static func direction(isLarger: Bool, _ unit: Unit) -> String {
    switch unit {
    case .nanoseconds: isLarger ? "slower" : "faster"
    case .bytes: isLarger ? "larger" : "smaller"
    case .count: isLarger ? "more" : "fewer"
    case .percent: isLarger ? "more" : "less"
    }
  }

  /// Some names, and how many more there are: `a, b, c and 9 more`.
  public static func list(_ names: [String], most: Int = 3) -> String {
    let shown = names.prefix(most).joined(separator: ", ")
    return names.count > most ? "\(shown) and \(count(Double(names.count - most))) more" : shown
  }

  /// A number with its noun: `1 row`, `2 rows`.
  public static func plural(_ number: Int, _ noun: String) -> String {
    "\(count(Double(number))) \(noun)\(number == 1 ? "" : "s")"
  }
}
