import BackendKit

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
    for var row in fresh { row.object.fields(&links) }
    references += links.referenced
    for step in links.owned { try step.take(&self, step.keys) }
  }

  /// Fetches combos with their slots, their lists' options, and the products that these name.
  mutating func takeResolved(_ combos: [Int]) throws {
    try take(ComboObject.self, combos)
    try take(OptionListObject.self, graph.slots.rows.compactMap { $0.object.sharedList?.number })
    try take(ProductObject.self, graph.slotOptions.rows.map(\.object.product.number))
  }

  /// Fetches the links of sources, and what they lead to where those are parts.
  mutating func follow<R: Relation>(_ type: R.Type, of sources: [Int]) throws {
    let links = try session.links(type, of: sources)
    for link in links { graph[keyPath: R.path].append(link) }
    let targets = links.map(\.target.number)
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
      keys[type, row.key] = graph[keyPath: Object.path].nextKey
      graph[keyPath: Object.path].append(row)
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
  private struct LinkCollector: ObjectVisitor {
    private(set) var owned: [Step] = []
    private(set) var referenced: [Step] = []

    mutating func field<Value: ColumnValue>(_ name: String, _ value: inout Value) {}

    mutating func link<L: ObjectLink>(_ name: String, _ link: inout L, isPart: Bool) {
      guard let key = link.key else { return }
      if isPart { Self.add(key, to: &owned) } else { Self.add(key, to: &referenced) }
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

/// Makes the store hold a graph by fetching before every save: the pattern "find or create".
///
/// For every object a SELECT asks whether the store has it; what is found is updated, what is not is
/// inserted, its links are removed and added again one by one, and what the graph no longer holds is
/// deleted one by one. That is what the loop `for item in response { let object = fetch(item.id) ??
/// create(); object.update(item) }` comes to, the one that Apple's "Core Data Programming Guide"
/// warns of ("Implementing Find-or-Create Efficiently") and that teams write none the less. Naive on
/// purpose, yet never quadratic: each fetch goes by an index.
struct FindOrCreate {
  private let session: ObjectSession
  private var graph: ObjectGraph
  /// The store's keys by the graph's.
  private var keys = KeyMap()
  /// The greatest key of each kind that the store had before.
  private var greatest = ByType<Int>()

  /// Saves a graph. To be called in a transaction.
  ///
  /// - Throws: ``SQLiteFailure`` where two parts of one owner have the same id.
  static func save(_ graph: ObjectGraph, in session: ObjectSession) throws {
    var work = FindOrCreate(session: session, graph: graph)
    for kind in ObjectKind.all { try kind.find(&work) }
    for kind in ObjectKind.all { try kind.save(&work) }
    for kind in ObjectKind.all { try kind.prune(work) }
  }

  private init(session: ObjectSession, graph: ObjectGraph) {
    self.session = session
    self.graph = graph
  }

  /// Fetches each object by id and owner, and gives what is not there the next key.
  mutating func find<Object: StoredObject>(_ type: Object.Type) throws {
    let last = try session.greatestKey(type)
    greatest[type] = last
    var next = last
    var found: Set<Int> = []
    for row in graph[keyPath: Object.path].rows {
      let owner = keys[Object.Owner.self, row.owner.number] ?? 0
      if let key = try session.key(type, id: row.id, owner: owner) {
        guard found.insert(key).inserted else {
          throw SQLiteFailure("there are two \(Object.entity) objects with the id \(row.id)")
        }
        keys[type, row.key] = key
      } else {
        next += 1
        keys[type, row.key] = next
      }
    }
  }

  /// Updates what was found and inserts what was not, each with its links.
  mutating func save<Object: StoredObject>(_ type: Object.Type) throws {
    let last = greatest[type] ?? 0
    for row in graph[keyPath: Object.path].rows {
      var saved = row.mapped(by: keys)
      if saved.key > last { try session.insert(saved) } else { try session.update(&saved) }
      for relation in Object.relations { try relation.replace(&self, row.key, saved.key) }
    }
  }

  /// Replaces the links of one source.
  mutating func replaceLinks<R: Relation>(
    _ type: R.Type, of source: Int, by saved: Int
  ) throws {
    try session.removeLinks(type, of: saved)
    for link in graph[keyPath: R.path].take(source) {
      try session.insert(link.mapped(by: keys))
    }
  }

  /// Deletes what the graph doesn't hold.
  func prune<Object: StoredObject>(_ type: Object.Type) throws {
    let kept = keys.values(type)
    for key in try session.keys(type) where !kept.contains(key) {
      for relation in Object.relations { try relation.remove(session, key) }
      try session.delete(type, key)
    }
  }
}

/// Numbers by kind of object and number: keys by the keys of another store, or by ids.
struct KeyMap {
  private var maps = ByType<[Int: Int]>()

  subscript<Object: StoredObject>(_ type: Object.Type, _ number: Int) -> Int? {
    get { maps[type]?[number] }
    set { maps[type, default: [:]][number] = newValue }
  }

  /// Every number that others of a kind are mapped to.
  func values<Object: StoredObject>(_ type: Object.Type) -> Set<Int> {
    Set((maps[type] ?? [:]).values)
  }
}

/// Values by type, of few types.
///
/// They are searched one after another: a few pointers are compared sooner than one is hashed. And
/// where a type lies in memory changes with every build, so that hashing it would cost other
/// instructions each time.
struct ByType<Value> {
  private var entries: [(type: ObjectIdentifier, value: Value)] = []

  subscript(_ type: Any.Type) -> Value? {
    get { index(of: type).map { entries[$0].value } }
    set {
      guard let newValue else { return }
      self[type, default: newValue] = newValue
    }
  }

  subscript(_ type: Any.Type, default value: @autoclosure () -> Value) -> Value {
    get { self[type] ?? value() }
    _modify {
      let index = index(of: type) ?? entries.count
      if index == entries.count {
        // As many as there are kinds of objects.
        if entries.isEmpty { entries.reserveCapacity(16) }
        entries.append((ObjectIdentifier(type), value()))
      }
      yield &entries[index].value
    }
  }

  private func index(of type: Any.Type) -> Int? {
    entries.firstIndex { $0.type == ObjectIdentifier(type) }
  }
}
