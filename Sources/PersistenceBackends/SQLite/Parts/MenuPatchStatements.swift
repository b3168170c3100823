import MenuModel

/// The statements that change prices and availability in place, a row a change.
struct MenuPatchStatements {
  private let revision: PreparedStatement
  private let availability: PreparedStatement
  private let price: PreparedStatement

  init(prepare: (String) throws -> PreparedStatement) rethrows {
    revision = try prepare("UPDATE menu SET revision = ?1")
    availability = try prepare("UPDATE product SET availability = ?2 WHERE id = ?1")
    price = try prepare("UPDATE variant SET price = ?2 WHERE id = ?1")
  }

  /// Applies a patch as ``Menu/apply(_:)`` does. To be called in a transaction, which undoes what was
  /// changed before an error.
  ///
  /// - Throws: `UnknownPatchTarget`, ``SQLiteFailure``.
  func apply(_ patch: MenuPatch) throws {
    guard try revision.update({ $0.put(patch.revision) }) > 0 else {
      throw SQLiteFailure.nothingWritten
    }
    for change in patch.availability {
      let found = try availability.update {
        $0.put(change.productID)
        $0.put(change.availability.rawValue)
      }
      guard found > 0 else { throw UnknownPatchTarget(entity: .product, id: change.productID) }
    }
    for change in patch.prices {
      let found = try price.update {
        $0.put(change.variantID)
        $0.put(change.price)
      }
      guard found > 0 else { throw UnknownPatchTarget(entity: .variant, id: change.variantID) }
    }
  }
}
