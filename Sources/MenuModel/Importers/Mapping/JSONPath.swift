/// A way from one JSON value to others: the part of JSONPath (RFC 9535) that mappings are written in.
///
/// `$` is the whole file and `@` the thing at hand; `.name` and `['name']` lead to a member, `[0]` to
/// an element, counted from 0, and `[*]` to all of either.
struct JSONPath: Hashable, Sendable {
  /// One step.
  enum Step: Hashable, Sendable {
    /// To the member of an object.
    case name(String)
    /// To an element of an array.
    case index(Int)
    /// To every element or member.
    case all
  }

  /// Why a text is no such path.
  struct Fault: Error, Equatable {
    /// The character that cannot stand there, from 1.
    var character: Int
    /// What was expected there.
    var expected: String
  }

  /// As it was written.
  let text: String
  /// Whether it begins at the whole file, with `$`.
  let isFromRoot: Bool
  /// The steps, in order.
  let steps: [Step]

  /// Reads a path.
  init(parsing text: String) throws(Fault) {
    var reader = Reader(text)
    self.text = text
    isFromRoot = try reader.start()
    var steps: [Step] = []
    while !reader.isAtEnd { steps.append(try reader.step()) }
    self.steps = steps
  }

  /// What of JSONPath can be written, for messages.
  static let syntax = "$ or @, then .name, ['name'], [0] or [*]"
}

extension JSONPath.Step: CustomStringConvertible {
  /// As it is written, a name without quotes where it needs none.
  var description: String {
    switch self {
    case .index(let index): "[\(index)]"
    case .all: "[*]"
    case .name(let name):
      if let first = name.first, !first.isNumber, name.allSatisfy(JSONPath.isPlain) {
        ".\(name)"
      } else {
        "['\(name.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']"
      }
    }
  }
}

extension JSONPath {
  /// Whether a character may stand in a name without quotes.
  fileprivate static func isPlain(_ character: Character) -> Bool {
    !character.isASCII || character == "_" || character.isLetter || character.isNumber
  }

  private struct Reader {
    private let characters: [Character]
    private var next = 0

    init(_ text: String) {
      characters = Array(text)
    }

    var isAtEnd: Bool { next == characters.count }

    private func fault(_ expected: String) -> Fault {
      Fault(character: next + 1, expected: expected)
    }

    private mutating func take(_ character: Character) -> Bool {
      guard !isAtEnd, characters[next] == character else { return false }
      next += 1
      return true
    }

    mutating func start() throws(Fault) -> Bool {
      if take("$") { return true }
      guard take("@") else { throw fault("$ for the whole file or @ for the thing at hand") }
      return false
    }

    mutating func step() throws(Fault) -> Step {
      if take(".") { return take("*") ? .all : .name(try plainName()) }
      guard take("[") else { throw fault(". or [") }
      let step = try bracketed()
      guard take("]") else { throw fault("]") }
      return step
    }

    private mutating func plainName() throws(Fault) -> String {
      let name = characters[next...].prefix(while: JSONPath.isPlain)
      guard let first = name.first, !(first.isASCII && first.isNumber) else {
        throw fault("a name, or * for all")
      }
      next += name.count
      return String(name)
    }

    private mutating func bracketed() throws(Fault) -> Step {
      if take("*") { return .all }
      if take("'") { return .name(try quotedName("'")) }
      if take("\"") { return .name(try quotedName("\"")) }
      let digits = characters[next...].prefix { $0.isASCII && $0.isNumber }
      guard let index = Int(String(digits)), String(index) == String(digits) else {
        throw fault("a number, a name in quotes, or *")
      }
      next += digits.count
      return .index(index)
    }

    private mutating func quotedName(_ quote: Character) throws(Fault) -> String {
      var name = ""
      while !take(quote) {
        guard !isAtEnd else { throw fault("\(quote)") }
        if take("\\"), isAtEnd || ![quote, "\\"].contains(characters[next]) {
          throw fault("\(quote) or \\, which are all that \\ stands before here")
        }
        name.append(characters[next])
        next += 1
      }
      return name
    }
  }
}
