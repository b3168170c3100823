/// What names an entity: things are found by kind and id; the position keeps the menu's order and
/// tells apart things of one id, which no rule of storing forbids.
struct EntityKey: Hashable, Sendable {
  var kind: EntityKind
  var id: Int
  /// Its place in the menu's list of that kind.
  var position: Int
}

extension EntityKey: Comparable {
  /// By kind, id and position: the order in which entities are kept.
  static func < (a: Self, b: Self) -> Bool {
    (a.kind.rawValue, a.id, a.position) < (b.kind.rawValue, b.id, b.position)
  }
}

extension EntityKey: CustomStringConvertible {
  /// `product 300`.
  var description: String { "\(kind) \(id)" }
}
