/// A shelf, with a link to the one that it stands in.
struct CategoryObject: StoredObject {
  typealias Owner = MenuObject

  var parent: Key<CategoryObject>?
  var name: String

  static let entity = "category"
  static let columns: [Column] = [.optionalInteger("parent"), .text("name")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.categories }
}

extension CategoryObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) { visitor.referenced(&parent) }

  func put(into sink: inout some ValueSink) {
    sink.put(parent)
    sink.put(name)
  }

  init(from row: inout RowReader) throws {
    parent = Key(row.optionalInt())
    name = try row.text()
  }
}
