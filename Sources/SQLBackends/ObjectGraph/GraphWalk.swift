import BackendKit

/// Fetches a part of a graph: objects and, along their relations, their parts.
///
/// It remembers the objects that it met, as Core Data's context and Realm's instance do, so no object
/// is fetched twice in one walk. The session's ``ObjectAccess`` decides whether a step is one SELECT
/// or one SELECT per object.
struct GraphWalk {
  /// Objects of one kind to fetch.
  private typealias Step = (kind: GraphTable, keys: [Int])

  private let session: ObjectSession
  /// The objects met so far. Until ``finish()`` they have the store's keys.
  private var graph = ObjectGraph()
  /// Maps the store's keys to the graph's.
  private var keys = KeyMap()
  private var references: [Step] = []

  init(_ session: ObjectSession) { self.session = session }

  /// Fetches objects that were not met before, and their parts.
  mutating func take(_ kind: GraphTable, _ wanted: [Int]) throws {
    let fresh = try fetch(kind, wanted)
    guard !fresh.isEmpty else { return }
    let sources = fresh.map { graph[kind].key(of: $0) }
    for relation in kind.relations { try follow(relation, of: sources) }
    var parts: [Step] = []
    var others: [Step] = []
    for row in fresh {
      for link in kind.shape.links {
        guard let key = graph[kind].key(link, of: row) else { continue }
        if link.column.isPart {
          Self.add(key, of: link.kind, to: &parts)
        } else {
          Self.add(key, of: link.kind, to: &others)
        }
      }
    }
    references += others
    for step in parts { try take(step.kind, step.keys) }
  }

  /// Fetches combos with their slots, the options of the slots' lists, and the options' products.
  mutating func takeResolved(_ combos: [Int]) throws {
    try take(.combo, combos)
    let slots = graph[.slot]
    try take(.optionList, (0..<slots.count).compactMap { slots.link("shared_list", of: $0) })
    let options = graph[.slotOption]
    try take(.product, (0..<options.count).compactMap { options.link("product", of: $0) })
  }

  /// Returns the graph's keys of objects, in the order of their keys in the store. Leaves out objects
  /// that were not met.
  func keys(of kind: GraphTable, _ stored: [Int]) -> [Int] { stored.compactMap { keys[kind, $0] } }

  /// Fetches objects that were referred to but not met, without their parts. Returns the graph with
  /// each kind numbered in the order of the walk.
  mutating func finish() throws -> ObjectGraph {
    for step in references { _ = try fetch(step.kind, step.keys) }
    let keys = keys
    graph.rekey(\.keys) { keys[$0, $1] ?? 0 }
    return graph
  }

  /// Fetches the links of sources, and the linked objects if they are parts.
  private mutating func follow(_ relation: GraphTable, of sources: [Int]) throws {
    let before = graph[relation].count
    try session.fetch(sources, into: &graph[relation])
    let links = graph[relation]
    let targets = (before..<links.count).map { links.target(of: $0) }
    for end in relation.shape.links {
      if end.column.isPart {
        try take(end.kind, targets)
      } else {
        references.append((end.kind, targets))
      }
    }
  }

  /// Fetches objects that were not met before, without their parts, and returns their rows.
  private mutating func fetch(_ kind: GraphTable, _ wanted: [Int]) throws -> Range<Int> {
    var fresh: Set<Int> = []
    let unmet = wanted.filter { keys[kind, $0] == nil && fresh.insert($0).inserted }
    let before = graph[kind].count
    try session.fetch(unmet, into: &graph[kind])
    let rows = before..<graph[kind].count
    for row in rows { keys[kind, graph[kind].key(of: row)] = row + 1 }
    return rows
  }

  private static func add(_ key: Int, of kind: GraphTable, to steps: inout [Step]) {
    if let index = steps.firstIndex(where: { $0.kind == kind }) {
      steps[index].keys.append(key)
    } else {
      steps.append((kind, [key]))
    }
  }
}

/// Saves a graph with the pattern "find or create", which fetches each object before it saves it.
///
/// A SELECT asks for each object whether it is in the store. An existing object is updated, a new one
/// is inserted. Its links are deleted and inserted one by one, and objects that the graph lacks are
/// deleted one by one. This is the loop `for item in response { let object = fetch(item.id) ??
/// create(); object.update(item) }`. Apple's "Core Data Programming Guide" warns of it ("Implementing
/// Find-or-Create Efficiently"), but apps still contain it. It is naive on purpose but not quadratic,
/// because each fetch uses an index.
struct FindOrCreate {
  private let session: ObjectSession
  private let graph: ObjectGraph
  private var links: GraphReader
  /// Maps the graph's keys to the store's.
  private var keys = KeyMap()
  /// The greatest key of each kind in the store before the save.
  private var greatest: [Int] = []

  /// Saves a graph. Call it in a transaction.
  ///
  /// - Throws: ``SQLiteFailure`` if two parts of one owner have the same id.
  static func save(_ graph: ObjectGraph, in session: ObjectSession) throws {
    var work = FindOrCreate(session: session, graph: graph, links: GraphReader(graph))
    for kind in GraphTable.kinds { try work.find(kind) }
    for kind in GraphTable.kinds { try work.save(kind) }
    for kind in GraphTable.kinds { try work.prune(kind) }
  }

  /// Fetches each object by id and owner, and gives a missing one the next key.
  private mutating func find(_ kind: GraphTable) throws {
    let rows = graph[kind]
    let owner = kind.shape.keys[1].kind
    var next = try session.greatestKey(kind)
    greatest.append(next)
    var found: Set<Int> = []
    for row in 0..<rows.count {
      let owner = keys[owner, rows.owner(of: row)] ?? 0
      if let key = try session.key(kind, id: rows.id(of: row), owner: owner) {
        guard found.insert(key).inserted else {
          throw SQLiteFailure("there are two \(kind.name) objects with the id \(rows.id(of: row))")
        }
        keys[kind, rows.key(of: row)] = key
      } else {
        next += 1
        keys[kind, rows.key(of: row)] = next
      }
    }
  }

  /// Updates existing objects and inserts new ones, each with its links.
  private mutating func save(_ kind: GraphTable) throws {
    let rows = graph[kind]
    for row in 0..<rows.count {
      let key = rows.key(of: row)
      let saved = keys[kind, key] ?? 0
      if saved > greatest[kind.rawValue] {
        try session.insert(rows, row, by: keys)
      } else {
        try session.update(rows, row, by: keys)
      }
      for relation in kind.relations {
        try session.delete(relation, saved)
        for link in links.take(relation, of: key) {
          try session.insert(graph[relation], link, by: keys)
        }
      }
    }
  }

  /// Deletes the objects that the graph lacks.
  private func prune(_ kind: GraphTable) throws {
    let kept = keys.values(kind)
    for key in try session.keys(kind) where !kept.contains(key) {
      for relation in kind.relations { try session.delete(relation, key) }
      try session.delete(kind, key)
    }
  }
}
