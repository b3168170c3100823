extension Injection {
  /// Reads `[BACKEND/]PHASE:slowdown=5%`, `…:allocations=1` or `…:instructions=5000`.
  ///
  /// - Throws: ``InjectionError`` where the text is something else. Whether there are such a backend
  ///   and such a phase is for the worker to say.
  public init(parsing text: String) throws(InjectionError) {
    guard let colon = text.lastIndex(of: ":") else { throw .form(text) }
    let place = text[..<colon].split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(place.count), !place.contains(""), let phase = place.last else {
      throw .form(text)
    }
    self.init(
      backend: place.count == 2 ? String(place[0]) : nil, phase: String(phase),
      cost: try Cost(parsing: text[text.index(after: colon)...], of: text))
  }
}

extension Injection.Cost {
  /// The names of what can be added.
  static let names = ["slowdown", "allocations", "instructions"]

  /// The most of each: more would only look as if the worker hung.
  private static let most = (slowdown: 100.0, allocations: 1_000_000_000, instructions: 1 << 40)

  fileprivate init(parsing cost: Substring, of text: String) throws(InjectionError) {
    let parts = cost.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw .form(text) }
    guard Self.names.contains(String(parts[0])) else {
      throw .unknownCost(String(parts[0]), known: Self.names)
    }
    guard let cost = Self(name: parts[0], amount: parts[1]), cost.isValid else {
      throw .amount(String(parts[1]), of: String(parts[0]))
    }
    self = cost
  }

  private init?(name: Substring, amount: Substring) {
    switch name {
    case "slowdown":
      guard amount.hasSuffix("%"), let percent = Double(amount.dropLast()) else { return nil }
      self = .slowdown(percent / 100)
    case "allocations":
      guard let count = Int(amount) else { return nil }
      self = .allocations(count)
    default:
      guard let count = Int(amount) else { return nil }
      self = .instructions(count)
    }
  }

  /// Whether it adds something, and no more than a worker gets done.
  var isValid: Bool {
    switch self {
    case .slowdown(let part): part > 0 && part <= Self.most.slowdown
    case .allocations(let count): (1...Self.most.allocations).contains(count)
    case .instructions(let count): (100...Self.most.instructions).contains(count)
    }
  }
}
