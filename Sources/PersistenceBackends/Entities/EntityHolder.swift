/// Says in which entity something stands that a patch names: a variant in its product, a product or
/// variant embedded in an option list or a combo.
struct EntityHolder: Hashable, Sendable {
  /// What is held.
  enum Held: UInt8, Sendable {
    /// A copy of a product within an option; the product itself is found by its key.
    case product = 0x80
    /// A variant, of a product or of a copy.
    case variant = 0x81
  }

  var held: Held
  /// The id of what is held.
  var id: Int
  /// The index of the entity in ``MenuEntities/entities``.
  var entity: Int
}

extension EntityHolder: Comparable {
  /// By what is held, its id and the entity.
  static func < (a: Self, b: Self) -> Bool {
    (a.held.rawValue, a.id, a.entity) < (b.held.rawValue, b.id, b.entity)
  }
}
