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

/// A row of a graph: an object, or a link.
protocol GraphRow: TableRow {
  /// What it is found by: an object's key, or the key of a link's source.
  var key: Int { get }
  /// Where a graph holds rows of this type.
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Self>> { get }
  /// The same row with every key mapped. What is not in the map becomes 0, which is no object's key.
  func mapped(by keys: KeyMap) -> Self
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

  /// The first row of a key.
  func first(_ key: Int) -> Row? {
    let start = start(of: key)
    guard start < rows.count, rows[start].key == key else { return nil }
    return rows[start]
  }

  /// Throws ``StorageError`` unless every row was used, each once.
  func finish() throws {
    guard taken == rows.count else {
      throw StorageError(
        operation: "decode", path: "objects",
        reason: "\(rows.count) rows of \(Row.table.name), \(taken) of them linked to")
    }
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

extension OrderedRows {
  /// Adds the links of one source.
  mutating func append<R>(_ targets: [Int], of source: Int) where Row == Link<R> {
    for (position, target) in targets.enumerated() {
      append(Link(source: source, position: position, target: target))
    }
  }

  /// The keys of what a source links to.
  mutating func targets<R>(of source: Int) -> [Int] where Row == Link<R> {
    take(source).map(\.target)
  }

  /// An object, which counts as used from now on; throws ``StorageError`` where there is none.
  mutating func object<Object>(_ key: Int) throws -> Stored<Object> where Row == Stored<Object> {
    guard let row = take(key).first else { throw Self.missing(key) }
    return row
  }

  /// The id of an object that something refers to; throws ``StorageError`` where there is none.
  func id<Object>(of key: Key<Object>) throws -> Int where Row == Stored<Object> {
    guard let row = first(key.number) else { throw Self.missing(key.number) }
    return row.id
  }

  private static func missing(_ key: Int) -> StorageError {
    StorageError(
      operation: "decode", path: "objects",
      reason: "there is no \(Row.table.name) with the key \(key), though something links to it")
  }
}

/// A table of the store, and what is done with all of its rows at once.
struct GraphTable: Sendable {
  let table: Table
  /// Adds a graph's rows by the table's prepared INSERT.
  let insert: @Sendable (ObjectGraph, ObjectSession) throws -> Void
  /// Fills a graph by the table's prepared SELECT.
  let select: @Sendable (inout ObjectGraph, ObjectSession) throws -> Void
  /// Removes every row.
  let delete: @Sendable (ObjectSession) throws -> Void
  /// Adds a graph's rows to another under other keys.
  let map: @Sendable (ObjectGraph, KeyMap, inout ObjectGraph) -> Void
  /// How many rows a graph has.
  let count: @Sendable (ObjectGraph) -> Int
  /// The bytes of a graph's rows.
  let bytes: @Sendable (ObjectGraph) -> Int
  /// Throws unless a graph's rows were all used.
  let finish: @Sendable (ObjectGraph) throws -> Void

  /// Ties a row to its table.
  init<Row: GraphRow>(_ type: Row.Type) {
    table = Row.table
    insert = { try $1.insert($0[keyPath: Row.place].rows) }
    select = { $0[keyPath: Row.place] = OrderedRows(try $1.all(type)) }
    delete = { try $0.deleteAll(type) }
    map = { graph, keys, mapped in
      mapped[keyPath: Row.place] = OrderedRows(
        graph[keyPath: Row.place].rows.map { $0.mapped(by: keys) })
    }
    count = { $0[keyPath: Row.place].rows.count }
    bytes = { graph in
      var counter = SizeCounter()
      for row in graph[keyPath: Row.place].rows { row.put(into: &counter) }
      return counter.bytes
    }
    finish = { try $0[keyPath: Row.place].finish() }
  }
}

/// A kind of object that is not named: what is done with every kind.
struct ObjectKind: Sendable {
  let table: GraphTable
  /// Looks up every object of the kind that a graph holds.
  let find: @Sendable (inout FindOrCreate) throws -> Void
  /// Saves every object of the kind that a graph holds.
  let save: @Sendable (inout FindOrCreate) throws -> Void
  /// Removes the objects that the graph doesn't hold.
  let prune: @Sendable (FindOrCreate) throws -> Void

  init<Object: StoredObject>(_ type: Object.Type) {
    table = GraphTable(Stored<Object>.self)
    find = { try $0.find(type) }
    save = { try $0.save(type) }
    prune = { try $0.prune(type) }
  }

  /// Every kind, owners before their parts.
  static let all: [ObjectKind] = [
    ObjectKind(MenuObject.self), ObjectKind(CategoryObject.self),
    ObjectKind(IngredientObject.self), ObjectKind(ModifierGroupObject.self),
    ObjectKind(ModifierOptionObject.self), ObjectKind(SizePriceObject.self),
    ObjectKind(ComboObject.self), ObjectKind(SlotObject.self),
    ObjectKind(OptionListObject.self), ObjectKind(SlotOptionObject.self),
    ObjectKind(ProductObject.self), ObjectKind(TagObject.self),
    ObjectKind(ProductIngredientObject.self), ObjectKind(VariantObject.self),
    ObjectKind(PriceTierObject.self), ObjectKind(NutritionObject.self),
    ObjectKind(NutritionFactsObject.self), ObjectKind(StopListEntryObject.self),
    ObjectKind(TranslationObject.self),
  ]
}

/// Brings in a part of a graph: objects and, along their relations, their parts.
///
/// It remembers what it has met, as Core Data's context and Realm's instance do: no object is
/// fetched twice in one walk. Whether what a step needs comes in one SELECT or in one each is up to
/// the session's ``ObjectAccess``.
struct GraphWalk {
  let session: ObjectSession
  /// What was met; until ``finish()`` by the store's keys.
  private(set) var graph = ObjectGraph()
  /// The graph's keys by the store's.
  private var keys = KeyMap()
  private var references: [Step] = []

  init(_ session: ObjectSession) { self.session = session }

  /// Fetches objects that were not met before, and their parts.
  mutating func take<Object: StoredObject>(_ type: Object.Type, _ wanted: [Int]) throws {
    let fresh = try fetch(type, wanted)
    guard !fresh.isEmpty else { return }
    for relation in Object.relations { try relation.follow(&self, fresh.map(\.key)) }
    var links = LinkCollector()
    for var row in fresh { row.object.visitLinks(&links) }
    references += links.referenced
    for step in links.owned { try step.take(&self, step.keys) }
  }

  /// Fetches the links of sources, and what they lead to where those are parts.
  mutating func follow<R: Relation>(_ type: R.Type, of sources: [Int]) throws {
    let links = try session.links(type, of: sources)
    for link in links { graph[keyPath: R.place].append(link) }
    let targets = links.map(\.target)
    if R.owns {
      try take(R.Target.self, targets)
    } else {
      references.append(Step(R.Target.self, targets))
    }
  }

  /// The keys that objects have in the graph, in the order of those that they have in the store;
  /// what was not met is left out.
  func keys<Object: StoredObject>(of type: Object.Type, _ stored: [Int]) -> [Int] {
    stored.compactMap { keys[type, $0] }
  }

  /// Fetches what was referred to and not met, without its parts, and gives out the graph, every
  /// kind numbered in the order in which it was met.
  mutating func finish() throws -> ObjectGraph {
    for step in references { try step.fetch(&self, step.keys) }
    var numbered = ObjectGraph()
    for table in ObjectGraph.tables { table.map(graph, keys, &numbered) }
    return numbered
  }

  /// Fetches objects that were not met before, without their parts.
  @discardableResult
  private mutating func fetch<Object: StoredObject>(
    _ type: Object.Type, _ wanted: [Int]
  ) throws -> [Stored<Object>] {
    var fresh: Set<Int> = []
    let unmet = wanted.filter { keys[type, $0] == nil && fresh.insert($0).inserted }
    let rows = try session.objects(type, unmet)
    for row in rows {
      keys[type, row.key] = graph[keyPath: Object.place].nextKey
      graph[keyPath: Object.place].append(row)
    }
    return rows
  }

  /// Objects of one kind to fetch.
  private struct Step {
    let kind: ObjectIdentifier
    var keys: [Int]
    /// Fetches them with their parts.
    let take: (inout GraphWalk, [Int]) throws -> Void
    /// Fetches them alone.
    let fetch: (inout GraphWalk, [Int]) throws -> Void

    init<Object: StoredObject>(_ type: Object.Type, _ keys: [Int]) {
      kind = ObjectIdentifier(type)
      self.keys = keys
      take = { try $0.take(type, $1) }
      fetch = { try $0.fetch(type, $1) }
    }
  }

  /// Gathers objects' links to one object, by kind.
  private struct LinkCollector: LinkVisitor {
    private(set) var owned: [Step] = []
    private(set) var referenced: [Step] = []

    mutating func owned<Object: StoredObject>(_ key: inout Key<Object>) {
      Self.add(key, to: &owned)
    }

    mutating func referenced<Object: StoredObject>(_ key: inout Key<Object>) {
      Self.add(key, to: &referenced)
    }

    private static func add<Object>(_ key: Key<Object>, to steps: inout [Step]) {
      let kind = ObjectIdentifier(Object.self)
      // An object links to four kinds at most.
      if let index = steps.firstIndex(where: { $0.kind == kind }) {
        steps[index].keys.append(key.number)
      } else {
        steps.append(Step(Object.self, [key.number]))
      }
    }
  }
}

/// Is shown an object's links to one object.
protocol LinkVisitor {
  /// A link to a part of the object.
  mutating func owned<Object: StoredObject>(_ key: inout Key<Object>)
  /// A link to an object that stands elsewhere.
  mutating func referenced<Object: StoredObject>(_ key: inout Key<Object>)
}

extension LinkVisitor {
  /// A link that may be missing.
  mutating func owned<Object>(_ key: inout Key<Object>?) {
    guard var there = key else { return }
    owned(&there)
    key = there
  }

  /// A link that may be missing.
  mutating func referenced<Object>(_ key: inout Key<Object>?) {
    guard var there = key else { return }
    referenced(&there)
    key = there
  }
}

extension ValueSink {
  /// Takes a link.
  mutating func put(_ key: Key<some StoredObject>) { put(key.number) }
  /// Takes a link or NULL.
  mutating func put(_ key: Key<some StoredObject>?) { put(key?.number) }
}
