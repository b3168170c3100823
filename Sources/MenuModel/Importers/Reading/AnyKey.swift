/// A key of a JSON object, whatever it says.
struct AnyKey: CodingKey, Hashable {
  var stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    return nil
  }
}
