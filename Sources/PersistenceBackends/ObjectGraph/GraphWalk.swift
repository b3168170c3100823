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
