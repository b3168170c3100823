/// A list of toppings or sides: `X=0:0.5:1,P,Cp=1`.
struct DominosOptions: Decodable, Equatable {
  /// One topping or side, with the quantities that may be chosen; empty where none is said.
  struct Option: Equatable {
    var code: String
    var quantities: [String]

    /// Whether a quantity of nothing is among the choices; unsaid quantities begin there.
    var mayBeLeftOut: Bool { quantities.isEmpty || quantities.contains("0") }
  }

  var options: [Option] = []

  init() {}

  init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  init(_ text: String) {
    options = text.split(separator: ",").compactMap { entry in
      let parts = entry.split(separator: "=", maxSplits: 1)
      guard let code = parts.first else { return nil }
      let quantities = parts.dropFirst().flatMap { $0.split(separator: ":") }
      return Option(code: String(code), quantities: quantities.map(String.init))
    }
  }
}
