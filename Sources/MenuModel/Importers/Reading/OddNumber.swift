import Foundation
import StrictJSON

/// A number that stands where only a whole number of 64 bits can.
///
/// On Linux the decoder's error for it has neither path nor value (Swift 6.3.1). It is found by
/// trying: with every odd number masked by a 0 the error goes, and the first one whose return
/// brings it back is to blame.
struct OddNumber {
  var path: String
  var reason: String

  /// The first number to blame; nil where decoding fails for another reason.
  ///
  /// Cost: one import for every doubling of the odd numbers in the file.
  static func blamed(
    in scanned: JSONScanner, by importer: any MenuImporter
  ) -> OddNumber? {
    let numbers = scanned.oddNumbers
    func isRefused(unmasked: Int) -> Bool {
      var text = scanned.text
      for bytes in numbers.dropFirst(unmasked) { mask(bytes, in: &text) }
      return isPathlessError { _ = try importer.importMenu(from: Data(text)) }
    }
    guard isRefused(unmasked: numbers.count), !isRefused(unmasked: 0) else { return nil }
    var good = 0
    var bad = numbers.count
    while bad - good > 1 {
      let middle = good + (bad - good) / 2
      if isRefused(unmasked: middle) { bad = middle } else { good = middle }
    }
    let bytes = numbers[good]
    let written = String(decoding: scanned.text[bytes].prefix(40), as: UTF8.self)
    return OddNumber(
      path: scanned.path(toNumberAt: bytes.lowerBound),
      reason: "\(written) is not a whole number of 64 bits")
  }

  private static func isPathlessError(_ decode: () throws -> Void) -> Bool {
    do {
      try decode()
      return false
    } catch DecodingError.dataCorrupted(let context) {
      return context.codingPath.isEmpty
    } catch {
      return false
    }
  }

  private static func mask(_ bytes: Range<Int>, in text: inout [UInt8]) {
    for index in bytes { text[index] = UInt8(ascii: " ") }
    text[bytes.lowerBound] = UInt8(ascii: "0")
  }
}
