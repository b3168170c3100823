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
  private var greatest: [ObjectIdentifier: Int] = [:]

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
    greatest[ObjectIdentifier(type)] = last
    var next = last
    var found: Set<Int> = []
    for row in graph[keyPath: Object.place].rows {
      let owner = keys[Object.Owner.self, row.owner] ?? 0
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
    let last = greatest[ObjectIdentifier(type)] ?? 0
    for row in graph[keyPath: Object.place].rows {
      let saved = row.mapped(by: keys)
      if saved.key > last { try session.insert(saved) } else { try session.update(saved) }
      for relation in Object.relations { try relation.replace(&self, row.key, saved.key) }
    }
  }

  /// Replaces the links of one source.
  mutating func replaceLinks<R: Relation>(
    _ type: R.Type, of source: Int, by saved: Int
  ) throws {
    try session.removeLinks(type, of: saved)
    for link in graph[keyPath: R.place].take(source) {
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
