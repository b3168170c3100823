/// How figures read to people: scaled to three digits, with a unit, the same in every locale.
public enum Wording {
  /// A duration in nanoseconds: `412 ns`, `51.3 µs`, `1.20 ms`, `3.05 s`; whole nanoseconds from 10
  /// on, since no clock gives less.
  public static func time(_ nanoseconds: Double) -> String {
    let isFine = abs(nanoseconds) < 9.5
    return scaled(
      isFine ? nanoseconds : nanoseconds.rounded(), units: ["ns", "µs", "ms", "s"])
  }

  /// A size in bytes, in decimal units: `512 B`, `1.64 MB`.
  public static func bytes(_ count: Double) -> String {
    scaled(count, units: ["B", "kB", "MB", "GB", "TB"])
  }

  /// A count with thousands separated: `11,037`; one decimal where it is no whole number.
  public static func count(_ number: Double) -> String {
    grouped(fixed(number, decimals: number == number.rounded() ? 0 : 1))
  }

  /// A share of 1 as a percentage: `4.2 %`, `12 %`.
  public static func percent(_ share: Double) -> String {
    let value = share * 100
    return fixed(value, decimals: abs(value) < 9.95 ? 1 : 0) + " %"
  }

  /// How far a figure may be off: `±4.2 %`; `<0.1 %` where nothing is left at one decimal, since no
  /// measurement is free of doubt.
  public static func precision(_ share: Double) -> String {
    let text = percent(share)
    return text == "0.0 %" ? "<0.1 %" : "±" + text
  }

  /// A multiple: `1.07×`, `12.3×`, `1,234×`; more decimals where the difference from 1 is small and
  /// the figure exact.
  public static func multiple(_ ratio: Double, exact: Bool = false) -> String {
    let distance = abs(ratio - 1)
    guard exact, distance > 0, distance < 0.005 else {
      return digits(ratio, least: ratio < 1 ? 2 : 0) + "×"
    }
    let decimals = (3...9).first { fixed(ratio, decimals: $0) != fixed(1, decimals: $0) } ?? 9
    return fixed(ratio, decimals: decimals) + "×"
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
}
