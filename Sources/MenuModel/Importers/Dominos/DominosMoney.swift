/// A price as text: `6.99`, `10`, or empty where there is none.
struct DominosMoney: Decodable, Equatable {
  /// The price in cents, exact; nil where the text is empty.
  var cents: Int?

  /// - Throws: `DecodingError` where the text is no price: a sign, a third decimal, too large.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard !text.isEmpty else { return }
    guard let cents = Self.cents(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\(String(text.prefix(40)).debugDescription) is not a price like 6.99")
    }
    self.cents = cents
  }

  /// The cents of a text with at most two decimals; nil where it has another form.
  static func cents(_ text: String) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let dollars = digits(parts[0]) else { return nil }
    let (whole, overflow) = dollars.multipliedReportingOverflow(by: 100)
    guard !overflow else { return nil }
    guard parts.count == 2 else { return whole }
    guard parts[1].utf8.count <= 2, let decimals = digits(parts[1]) else { return nil }
    let fraction = parts[1].utf8.count == 1 ? decimals * 10 : decimals
    let (sum, sumOverflow) = whole.addingReportingOverflow(fraction)
    return sumOverflow ? nil : sum
  }

  private static func digits(_ text: Substring) -> Int? {
    let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isDigits ? Int(text) : nil
  }
}
