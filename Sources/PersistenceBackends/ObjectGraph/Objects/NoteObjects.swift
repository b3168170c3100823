/// Something that is out of stock.
struct StopListEntryObject: StoredObject {
  typealias Owner = MenuObject

  var entity: String
  var entityID: Int
  var until: String?

  static let entity = "stop_list_entry"
  static let columns: [Column] = [
    .text("entity"), .integer("entity_id"), .optionalText("until"),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.stopList }
}

extension StopListEntryObject {
  func put(into sink: inout some ValueSink) {
    sink.put(entity)
    sink.put(entityID)
    sink.put(until)
  }

  init(from row: inout RowReader) throws {
    entity = try row.text()
    entityID = row.int()
    until = try row.optionalText()
  }
}

/// The texts of one thing in a further language.
struct TranslationObject: StoredObject {
  typealias Owner = MenuObject

  var locale: String
  var entity: String
  var entityID: Int
  var name: String
  var details: String?

  static let entity = "translation"
  static let columns: [Column] = [
    .text("locale"), .text("entity"), .integer("entity_id"), .text("name"),
    .optionalText("details"),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.translations }
}

extension TranslationObject {
  func put(into sink: inout some ValueSink) {
    sink.put(locale)
    sink.put(entity)
    sink.put(entityID)
    sink.put(name)
    sink.put(details)
  }

  init(from row: inout RowReader) throws {
    locale = try row.text()
    entity = try row.text()
    entityID = row.int()
    name = try row.text()
    details = try row.optionalText()
  }
}
