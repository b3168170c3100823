/// Something in a menu that cannot be.
public struct MenuProblem: Hashable, Sendable, CustomStringConvertible {
  /// Where: `combos[3].slots[1].options[7]`, with positions from zero.
  public let path: String
  /// What: `product 912 does not exist`.
  public let message: String

  /// Makes a problem.
  public init(path: String, message: String) {
    self.path = path
    self.message = message
  }

  /// One line: `combos[3].slots[1].options[7]: product 912 does not exist`.
  public var description: String { "\(path): \(message)" }
}

/// A menu that contradicts itself.
public struct InvalidMenu: Error, Hashable, Sendable, CustomStringConvertible {
  /// The first problems, at least one.
  public let problems: [MenuProblem]

  /// Makes an error.
  public init(problems: [MenuProblem]) {
    self.problems = problems
  }

  /// One problem a line.
  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}
