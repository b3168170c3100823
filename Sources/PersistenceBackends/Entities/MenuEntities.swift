/// A menu as entities whose values are JSON, in the order of their keys.
///
/// A payload's size is that of the JSON.
public struct MenuEntities: Sendable {
  /// Translations are small and many: so many stand in one entity.
  static let translationsInChunk = 64

  /// Every entity, by growing key.
  var entities: [StoredEntity]
  /// What a patch finds entities by, in order, none twice. It follows from the entities and is only
  /// written: a payload that was read has none.
  var holders: [EntityHolder] = []

  /// The bytes of every JSON text.
  var bytes: Int { entities.reduce(0) { $0 + $1.body.count } }
}

extension MenuEntities: Hashable {
  /// Whether the entities are the same; holders follow from them.
  public static func == (a: Self, b: Self) -> Bool { a.entities == b.entities }

  /// Feeds the entities.
  public func hash(into hasher: inout Hasher) { hasher.combine(entities) }
}
