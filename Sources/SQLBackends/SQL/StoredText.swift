import BackendKit

/// Escapes texts for GRDB, which passes them to and from SQLite as C strings that end at the first
/// NUL. NUL is stored as ESC 0, and ESC (U+001B) as two ESC. A text that has neither, as nearly all
/// texts, is stored unchanged.
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

  /// Undoes the escapes of a stored text.
  ///
  /// - Throws: ``StoreError`` if an ESC does not escape NUL or ESC.
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
