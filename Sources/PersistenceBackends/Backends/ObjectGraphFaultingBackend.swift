import MenuModel

extension BackendEntry where Document == Menu {
  /// `object-graph-faulting`: the same store, one object at a time.
  ///
  /// Naive on purpose, for it is what teams leave: `read` follows every relation as app code does
  /// that maps managed objects to its own values, a SELECT for each object and each relation
  /// touched; `write` fetches each object before it saves it. Every statement is prepared once and
  /// goes by an index, so the cost is that of their number: O(n log n), with a large n.
  public static var objectGraphFaulting: Self {
    Self(
      id: "object-graph-faulting",
      summary: "the object-graph store one object at a time: a SELECT a fault, find or create",
      caveat:
        "object-graph-faulting is naive on purpose: it reads by a SELECT for every object and "
        + "relation, and writes by a SELECT for every object, then an UPDATE or INSERT; its "
        + "first write into an empty store inserts everything, later ones update",
      library: .grdb,
      promises: [.atomic, .durable, .partialRead, .query, .concurrentReader]
    ) { try ObjectBackend($0, .faulting) }
  }
}
