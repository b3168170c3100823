/// A relation to many: a link table between two kinds of objects.
protocol Relation: Hashable, Sendable {
  /// What has the relation.
  associatedtype Source: StoredObject
  /// What it leads to.
  associatedtype Target: StoredObject
  /// The link table's name.
  static var name: String { get }
  /// Whether the targets are parts of the source, so that they go where it goes.
  static var owns: Bool { get }
  /// Where a graph holds the links.
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>> { get }
}

extension Relation {
  /// They are.
  static var owns: Bool { true }
}

/// One link of a relation.
///
/// The table is kept in the order in which sources list their targets; its index by target is the
/// inverse relation, as Core Data's join tables and Realm's backlinks have it.
struct Link<R: Relation> {
  var source: Int
  var position: Int
  var target: Int
}

extension Link: GraphRow {
  static var table: Table {
    Table(
      R.name, columns: [.integer("source"), .integer("position"), .integer("target")],
      key: ["source", "position"], indexes: ["target"])
  }

  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Self>> { R.place }

  var key: Int { source }

  func put(into sink: inout some ValueSink) {
    sink.put(source)
    sink.put(position)
    sink.put(target)
  }

  init(from row: inout RowReader) throws {
    source = row.int()
    position = row.int()
    target = row.int()
  }
}

/// A relation whose kinds are not named: what is done along every relation of an object.
///
/// Closures rather than an `any Relation.Type`: the compiler specialises these, and a row costs no
/// dynamic dispatch.
struct ToMany: Sendable {
  /// Follows the links of sources.
  let follow: @Sendable (inout GraphWalk, [Int]) throws -> Void
  /// Replaces the links of one source: its key in the graph, then in the store.
  let replace: @Sendable (inout FindOrCreate, Int, Int) throws -> Void
  /// Removes the links of one source.
  let remove: @Sendable (ObjectSession, Int) throws -> Void

  init<R: Relation>(_ type: R.Type) {
    follow = { try $0.follow(type, of: $1) }
    replace = { try $0.replaceLinks(type, of: $1, by: $2) }
    remove = { try $0.removeLinks(type, of: $1) }
  }
}
