import MenuModel

/// Changes prices and availability within the JSON, by `json_set`.
///
/// `json_set` copies the texts of everything that it is not told to change, numbers and escapes
/// included (seen in 3.40.1, tried by our tests), so the rest of a menu stays as it is to the bit.
struct PatchStatements {
  private let revision: DocumentStatement
  private let availability: DocumentStatement
  private let holders: DocumentStatement
  private let products: DocumentStatement
  private let variants: DocumentStatement
  private let change: DocumentStatement

  init(prepare: (String) throws -> OpaquePointer) rethrows {
    func statement(_ sql: String) throws -> DocumentStatement {
      DocumentStatement(try prepare(sql))
    }
    // What has an id, by the path of the object that the id stands in.
    let paths =
      "SELECT path FROM entity, json_tree(body) leaf WHERE place = ? AND key = 'id' AND atom = ? AND "
    revision = try statement(
      """
      UPDATE entity SET body = json_set(body, '$.revision', ?) \
      WHERE kind = \(EntityKind.head.rawValue)
      """)
    availability = try statement(
      """
      UPDATE entity SET body = json_set(body, '$.availability', ?) \
      WHERE kind = \(EntityKind.product.rawValue) AND id = ?
      """)
    holders = try statement(
      """
      SELECT entity, kind FROM holder JOIN entity ON place = entity \
      WHERE held = ? AND holder.id = ?
      """)
    products = try statement(paths + "path LIKE '%.product'")
    variants = try statement(paths + "path LIKE '%.variants[%]'")
    change = try statement("UPDATE entity SET body = json_set(body, ?, ?) WHERE place = ?")
  }

  /// Applies a patch. To be called in a transaction, which an error has to undo.
  func apply(_ patch: MenuPatch) throws {
    for change in patch.availability { try apply(change) }
    for change in patch.prices { try apply(change) }
    try revision.run(.int(patch.revision))
  }

  private func apply(_ patch: MenuPatch.AvailabilityChange) throws {
    let value = SQLArgument.text(patch.availability.rawValue)
    try availability.run(value, .int(patch.productID))
    guard availability.changes > 0 else {
      throw UnknownPatchTarget(entity: .product, id: patch.productID)
    }
    for holder in try holders(of: .product, patch.productID) {
      try set("availability", value, at: products, patch.productID, in: holder.place)
    }
  }

  private func apply(_ patch: MenuPatch.PriceChange) throws {
    let holders = try holders(of: .variant, patch.variantID)
    guard holders.contains(where: { $0.kind == Int(EntityKind.product.rawValue) }) else {
      throw UnknownPatchTarget(entity: .variant, id: patch.variantID)
    }
    for holder in holders {
      try set("price", .int(patch.price), at: variants, patch.variantID, in: holder.place)
    }
  }

  private func holders(
    of held: EntityHolder.Held, _ id: Int
  ) throws -> [(place: Int, kind: Int)] {
    try holders.all(.int(Int(held.rawValue)), .int(id)) { ($0.int(0), $0.int(1)) }
  }

  private func set(
    _ field: String, _ value: SQLArgument, at paths: DocumentStatement, _ id: Int, in place: Int
  ) throws {
    for path in try paths.all(.int(place), .int(id), taking: { $0.text(0) }) {
      try change.run(.text("\(path).\(field)"), value, .int(place))
    }
  }
}
