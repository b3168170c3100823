/// What products are made of.
struct IngredientObject: StoredObject {
  typealias Owner = MenuObject

  var code: String?
  var name: String

  static let entity = "ingredient"
  static let columns: [Column] = [.optionalText("code"), .text("name")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.ingredients }
}

extension IngredientObject {
  func put(into sink: inout some ValueSink) {
    sink.put(code)
    sink.put(name)
  }

  init(from row: inout RowReader) throws {
    code = try row.optionalText()
    name = try row.text()
  }
}
