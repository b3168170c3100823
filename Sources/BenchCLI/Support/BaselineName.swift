/// A baseline's name: what cannot lead out of the folder that it is kept in.
struct BaselineName: Hashable, CustomStringConvertible {
  /// The name, without the file's ending.
  let description: String

  /// The longest name, in characters.
  static let lengthLimit = 100
  /// What a name may be, in words.
  static let rule = "a name has 1 to \(lengthLimit) of A-Z a-z 0-9 . _ - and no leading dot"

  /// Takes a name that is valid; nil where it is not.
  init?(_ text: String) {
    let isAllowed = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "._-".utf8.contains(byte)
      }
    }
    guard isAllowed, (1...Self.lengthLimit).contains(text.utf8.count), !text.hasPrefix(".")
    else { return nil }
    description = text
  }

  /// Takes a name as typed.
  ///
  /// - Throws: a ``CLIError`` of status `usage` that says what a name may be.
  init(typed text: String) throws {
    guard let name = Self(text) else {
      let shown = text.count > 60 ? text.prefix(60) + "…" : text[...]
      throw CLIError(
        text.isEmpty ? "an empty baseline name" : "'\(shown)' is no baseline name",
        help: Self.rule, status: .usage)
    }
    self = name
  }
}
