/// Why a text is no injection.
public enum InjectionError: Error, Hashable {
  /// It has not the form `[BACKEND/]PHASE:COST=AMOUNT`.
  case form(String)
  /// There is no such cost.
  case unknownCost(String, known: [String])
  /// The amount is not one of that cost: a percentage above 0 for a slowdown, from 1 allocation, from
  /// 100 instructions.
  case amount(String, of: String)
}

extension InjectionError: CustomStringConvertible {
  /// One line.
  public var description: String {
    switch self {
    case .form(let text): "'\(text)' is not of the form [BACKEND/]PHASE:COST=AMOUNT"
    case .unknownCost(let name, let known):
      "no cost is called '\(name)': there are \(known.joined(separator: ", "))"
    case .amount(let amount, let cost): "'\(amount)' is no amount of \(cost)"
    }
  }
}
