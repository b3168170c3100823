import BenchResults

/// A pair of values, one for each of the two programs that are compared.
package struct Sides<Value> {
  package var baseline: Value
  /// The value of the program that is judged.
  package var candidate: Value

  package init(baseline: Value, candidate: Value) {
    self.baseline = baseline
    self.candidate = candidate
  }

  package subscript(side: Pairing.Side) -> Value {
    get { side == .baseline ? baseline : candidate }
    set { if side == .baseline { baseline = newValue } else { candidate = newValue } }
  }

  package func map<Other>(_ change: (Value) throws -> Other) rethrows -> Sides<Other> {
    Sides<Other>(baseline: try change(baseline), candidate: try change(candidate))
  }
}

extension Sides: Sendable where Value: Sendable {}
