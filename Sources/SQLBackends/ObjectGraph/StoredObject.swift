import BackendKit

/// One kind of thing that the store holds: an entity with attributes, links to one object, and
/// relations to many.
///
/// Its fields have defaults because they are listed once, in ``fields(_:)``: an object is read by
/// showing a reader the fields of an empty one.
protocol StoredObject: Hashable, Sendable {
  /// The kind of thing that it is a part of; `Self` where only the menu holds it.
  associatedtype Owner: StoredObject
  typealias Path = WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>>
  /// The table's name.
  static var entity: String { get }
  /// Its relations to many, in the order in which a menu lists them.
  static var relations: [ToMany] { get }
  /// Where a graph holds objects of this kind.
  static var path: Path { get }

  init()
  /// Shows every attribute and link to a visitor, in the order of the table's columns.
  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure)
}

extension StoredObject {
  static var relations: [ToMany] { [] }
}

/// Is shown the fields of an object; a link is a field like any other unless the visitor says what
/// it does with it.
protocol ObjectVisitor: FieldVisitor {
  /// Is shown a link to one object.
  ///
  /// - Parameter isPart: Whether that object is a part of this one and goes where it goes.
  mutating func link<L: ObjectLink>(
    _ name: String, _ link: inout L, isPart: Bool) throws(Failure)
}

extension ObjectVisitor {
  @inline(__always)
  mutating func link<L: ObjectLink>(
    _ name: String, _ link: inout L, isPart: Bool
  ) throws(Failure) { try field(name, &link) }

  /// Is shown a link to an object that stands elsewhere.
  mutating func link<L: ObjectLink>(_ name: String, _ link: inout L) throws(Failure) {
    try self.link(name, &link, isPart: false)
  }
}

extension RowBinder: ObjectVisitor {}
extension RowReader: ObjectVisitor {}
extension SizeCounter: ObjectVisitor {}
extension ColumnList: ObjectVisitor {}

/// The primary key of an object, as Core Data's `Z_PK`: it counts from 1 within its kind.
struct Key<Object: StoredObject>: ColumnValue {
  var number: Int

  init(_ number: Int = 0) { self.number = number }
  init?(_ number: Int?) {
    guard let number else { return nil }
    self.number = number
  }

  static var columnType: String { Int.columnType }
  func put(into sink: inout some ValueSink) { sink.put(number) }
  init(from row: inout RowReader) { number = row.int() }
}

/// A link to one object, or to none.
protocol ObjectLink: ColumnValue {
  /// The kind of object that it leads to.
  associatedtype Target: StoredObject
  /// Where it leads; a link to none stays one.
  var key: Key<Target>? { get set }
}

extension Key: ObjectLink {
  var key: Key? {
    get { self }
    set { if let newValue { self = newValue } }
  }
}

extension Optional: ObjectLink where Wrapped: ObjectLink {
  var key: Key<Wrapped.Target>? {
    get { self?.key }
    set { self?.key = newValue }
  }
}

/// A row of a graph: an object, or a link.
protocol GraphRow: Hashable, Sendable {
  /// The table that rows of this type are kept in.
  static var table: Table { get }
  /// Where a graph holds rows of this type.
  static var path: WritableKeyPath<ObjectGraph, OrderedRows<Self>> { get }
  /// What it is found by: an object's key, or the key of a link's source.
  var key: Int { get }

  init()
  /// Shows every field to a visitor, in the order of the table's columns.
  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure)
}

extension GraphRow {
  /// The table's columns.
  static var columns: [Column] {
    var list = ColumnList()
    var row = Self()
    row.fields(&list)
    return list.columns
  }

  /// Takes every column's value; throws ``SQLiteFailure`` where one has another type.
  init(from row: inout RowReader) throws {
    self.init()
    try fields(&row)
  }

  /// The same row with every key mapped. What is not in the map becomes 0, which is no object's key.
  func mapped(by keys: KeyMap) -> Self {
    var mapped = self
    var mapping = KeyMapping(keys: keys)
    mapped.fields(&mapping)
    return mapped
  }
}

private struct KeyMapping: ObjectVisitor {
  let keys: KeyMap

  mutating func field<Value: ColumnValue>(_ name: String, _ value: inout Value) {}

  @inline(__always)
  mutating func link<L: ObjectLink>(_ name: String, _ link: inout L, isPart: Bool) {
    guard let key = link.key else { return }
    link.key = Key(keys[L.Target.self, key.number] ?? 0)
  }
}

/// The columns of an object's links.
private struct LinkList: ObjectVisitor {
  private(set) var names: [String] = []

  mutating func field<Value: ColumnValue>(_ name: String, _ value: inout Value) {}

  mutating func link<L: ObjectLink>(_ name: String, _ link: inout L, isPart: Bool) {
    names.append(name)
  }
}

/// An object with what every object has: its key, and what names it outside the store.
///
/// An id is unique among the parts of one owner: a thing's own id, or the place in its owner's list
/// of a thing that has none. So the copy of a product that an option embeds is another object than
/// the menu's own product of that id.
struct Stored<Object: StoredObject>: GraphRow {
  var primaryKey = Key<Object>()
  var id = 0
  /// What it is a part of; 0 where that is the menu.
  var owner = Key<Object.Owner>()
  var object = Object()

  /// Has an index of each link to one object, as Core Data makes: the inverse goes by it.
  static var table: Table {
    var links = LinkList()
    var object = Object()
    object.fields(&links)
    return Table(
      Object.entity, columns: columns, key: ["pk"], constraints: ["UNIQUE (id, owner)"],
      indexes: links.names)
  }
  static var path: Object.Path { Object.path }
  var key: Int { primaryKey.number }

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.link("pk", &primaryKey)
    try visitor.field("id", &id)
    try visitor.link("owner", &owner)
    try object.fields(&visitor)
  }
}

/// A relation to many: a link table between two kinds of objects.
protocol Relation: Hashable, Sendable {
  /// What has the relation.
  associatedtype Source: StoredObject
  /// What it leads to.
  associatedtype Target: StoredObject
  typealias Path = WritableKeyPath<ObjectGraph, OrderedRows<Link<Self>>>
  /// The link table's name.
  static var name: String { get }
  /// Whether the targets are parts of the source, so that they go where it goes.
  static var owns: Bool { get }
  /// Where a graph holds the links.
  static var path: Path { get }
}

extension Relation {
  static var owns: Bool { true }
}

/// One link of a relation.
///
/// The table is kept in the order in which sources list their targets; its index by target is the
/// inverse relation, as Core Data's join tables and Realm's backlinks have it.
struct Link<R: Relation>: GraphRow {
  var source = Key<R.Source>()
  var position = 0
  var target = Key<R.Target>()

  static var table: Table {
    Table(R.name, columns: columns, key: ["source", "position"], indexes: ["target"])
  }
  static var path: R.Path { R.path }
  var key: Int { source.number }

  mutating func fields<V: ObjectVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.link("source", &source)
    try visitor.field("position", &position)
    try visitor.link("target", &target)
  }
}

/// Rows of one table in the order of their keys.
///
/// They are looked for where the last ones ended, and only then by bisection: a graph that was
/// written whole is put together in one pass over each table.
struct OrderedRows<Row: GraphRow>: Sendable {
  private(set) var rows: [Row]
  private var next = 0
  private var taken = 0

  init(_ rows: [Row] = []) { self.rows = rows }

  /// The key of the next object to append.
  var nextKey: Int { rows.count + 1 }

  /// Adds a row whose key is no less than any before it.
  mutating func append(_ row: Row) { rows.append(row) }

  /// The rows of a key, which count as used from now on.
  mutating func take(_ key: Int) -> ArraySlice<Row> {
    let start = isStart(next, of: key) ? next : start(of: key)
    var end = start
    while end < rows.count, rows[end].key == key { end += 1 }
    next = end
    taken += end - start
    return rows[start..<end]
  }

  /// Throws ``StoreError`` unless every row was used, each once.
  func finish() throws {
    guard taken == rows.count else {
      throw StoreError(
        operation: "decode", path: "objects",
        reason: "\(rows.count) rows of \(Row.table.name), \(taken) of them linked to")
    }
  }

  /// Adds the links of one source.
  mutating func append<R>(_ targets: [Int], of source: Int) where Row == Link<R> {
    for (position, target) in targets.enumerated() {
      append(Link(source: Key(source), position: position, target: Key(target)))
    }
  }

  /// The keys of what a source links to.
  mutating func targets<R>(of source: Int) -> [Int] where Row == Link<R> {
    take(source).map(\.target.number)
  }

  /// An object, which counts as used from now on; throws ``StoreError`` where there is none.
  mutating func object<Object>(_ key: Int) throws -> Stored<Object> where Row == Stored<Object> {
    guard let row = take(key).first else { throw Self.missing(key) }
    return row
  }

  /// The id of an object that something refers to; throws ``StoreError`` where there is none.
  func id<Object>(of key: Key<Object>) throws -> Int where Row == Stored<Object> {
    let index = start(of: key.number)
    guard index < rows.count, rows[index].key == key.number else { throw Self.missing(key.number) }
    return rows[index].id
  }

  private static func missing(_ key: Int) -> StoreError {
    StoreError(
      operation: "decode", path: "objects",
      reason: "there is no \(Row.table.name) with the key \(key), though something links to it")
  }

  private func isStart(_ index: Int, of key: Int) -> Bool {
    (index == rows.count || rows[index].key >= key) && (index == 0 || rows[index - 1].key < key)
  }

  private func start(of key: Int) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = low + (high - low) / 2
      if rows[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension OrderedRows: Hashable {
  /// Equal rows; what of them was used doesn't matter.
  static func == (a: Self, b: Self) -> Bool { a.rows == b.rows }

  func hash(into hasher: inout Hasher) { hasher.combine(rows) }
}
