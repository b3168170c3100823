/// One kind of thing that the store holds: an entity with attributes, links to one object, and
/// relations to many.
protocol StoredObject: Hashable, Sendable {
  /// The kind of thing that it is a part of; `Self` where only the menu holds it.
  associatedtype Owner: StoredObject
  /// The table's name.
  static var entity: String { get }
  /// The columns of attributes and of links to one object.
  static var columns: [Column] { get }
  /// Its relations to many, in the order in which a menu lists them.
  static var relations: [ToMany] { get }
  /// Where a graph holds objects of this kind.
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { get }

  /// Shows every link to one object to a visitor, which may change it.
  mutating func visitLinks(_ visitor: inout some LinkVisitor)
  /// Gives every column's value.
  func put(into sink: inout some ValueSink)
  /// Takes every column's value.
  init(from row: inout RowReader) throws
}

extension StoredObject {
  /// None.
  static var relations: [ToMany] { [] }
  /// There is none.
  mutating func visitLinks(_ visitor: inout some LinkVisitor) {}
}

/// The primary key of an object, as Core Data's `Z_PK`: it counts from 1 within its kind.
struct Key<Object: StoredObject>: Hashable, Sendable {
  var number: Int

  init(_ number: Int) { self.number = number }
  init?(_ number: Int?) {
    guard let number else { return nil }
    self.number = number
  }
}

/// An object with what every object has: its key, and what names it outside the store.
///
/// An id is unique among the parts of one owner: a thing's own id, or the place in its owner's list
/// of a thing that has none. So the copy of a product that an option embeds is another object than
/// the menu's own product of that id.
struct Stored<Object: StoredObject> {
  var key: Int
  var id: Int
  /// The key of what it is a part of; 0 where that is the menu.
  var owner: Int
  var object: Object
}

extension Stored: GraphRow {
  static var table: Table {
    Table(
      Object.entity,
      columns: [.integer("pk"), .integer("id"), .integer("owner")] + Object.columns, key: ["pk"],
      constraints: ["UNIQUE (id, owner)"])
  }

  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Self>> { Object.place }

  func put(into sink: inout some ValueSink) {
    sink.put(key)
    sink.put(id)
    sink.put(owner)
    object.put(into: &sink)
  }

  init(from row: inout RowReader) throws {
    key = row.int()
    id = row.int()
    owner = row.int()
    object = try Object(from: &row)
  }
}
