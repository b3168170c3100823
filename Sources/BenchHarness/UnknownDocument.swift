/// A name from the command line for which a ``DocumentSource`` has no document.
public struct UnknownDocument: Error, Hashable, Sendable {
  /// What was typed.
  public var name: String
  /// The names that there are.
  public var known: [String]

  /// Makes an error; the command line then ends with status 64, and says the nearest known name.
  public init(_ name: String, known: [String]) {
    self.name = name
    self.known = known
  }
}

extension UnknownDocument: CustomStringConvertible {
  /// One line.
  public var description: String {
    name.isEmpty ? "an empty menu name" : "unknown menu '\(name)'"
  }
}
