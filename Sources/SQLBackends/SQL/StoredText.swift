import BackendKit

/// GRDB hands texts to SQLite and takes them back as C strings, which end at the first NUL. So NUL is
/// written as ESC 0 and ESC itself, U+001B, as two of them; a text without either, which is every text
/// that people write, is kept as it is.
extension String {
  var stored: String {
    guard utf8.contains(where: { $0 == 0 || $0 == Self.escape }) else { return self }
    var bytes: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case 0: bytes += [Self.escape, Self.zero]
      case Self.escape: bytes += [Self.escape, Self.escape]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text that was stored.
  ///
  /// - Throws: ``StoreError`` where something else than NUL or ESC was escaped.
  func restored() throws -> String {
    guard utf8.contains(Self.escape) else { return self }
    var bytes: [UInt8] = []
    var rest = utf8.makeIterator()
    while let byte = rest.next() {
      guard byte == Self.escape else {
        bytes.append(byte)
        continue
      }
      switch rest.next() {
      case Self.zero: bytes.append(0)
      case Self.escape: bytes.append(Self.escape)
      default:
        throw StoreError(
          operation: "decode", path: "records", reason: "a text has an ESC that escapes nothing")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let escape: UInt8 = 0x1B
  private static let zero = UInt8(ascii: "0")
}
