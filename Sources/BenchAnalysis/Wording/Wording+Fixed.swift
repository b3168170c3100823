import Foundation

extension Wording {
  /// A number with so many decimals and a point, in every locale.
  static func fixed(_ value: Double, decimals: Int) -> String {
    let text = String(format: "%.\(decimals)f", value)
    return text.hasPrefix("-") && !text.contains { ("1"..."9").contains($0) }
      ? String(text.dropFirst()) : text
  }

  /// A number's text with a comma after every third digit before the point.
  static func grouped(_ text: String) -> String {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard let whole = parts.first, whole.allSatisfy({ $0.isNumber || $0 == "-" }) else {
      return text
    }
    let sign = whole.hasPrefix("-") ? "-" : ""
    var result = ""
    for (place, digit) in whole.dropFirst(sign.count).reversed().enumerated() {
      if place > 0, place.isMultiple(of: 3) { result.append(",") }
      result.append(digit)
    }
    let decimals = parts.count > 1 ? "." + parts[1] : ""
    return sign + String(result.reversed()) + decimals
  }

  /// A probability with two digits: `p = 0.0042`; `p < 0.0001` below that.
  static func probability(_ p: Double) -> String {
    guard p >= 0.0001 else { return "p < 0.0001" }
    let decimals = (2...5).first { p >= pow(10, Double(1 - $0)) } ?? 5
    return "p = " + fixed(p, decimals: decimals)
  }
}
