/// A menu has more of something than a file can count.
struct FlatLimit: Error, Equatable, CustomStringConvertible {
  let name: String
  let count: Int

  /// The count as a file has it.
  ///
  /// - Throws: ``FlatLimit`` where it takes more than 32 bits.
  static func checked(_ count: Int, of name: String) throws -> UInt32 {
    guard let word = UInt32(exactly: count) else { throw FlatLimit(name: name, count: count) }
    return word
  }

  var description: String {
    "the menu has \(count) \(name), the format counts to \(UInt32.max)"
  }
}
