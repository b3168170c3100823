import MenuModel

extension ObjectSession {
  /// Fetches every object that a patch names, copies too, and sets what changes.
  ///
  /// - Throws: `UnknownPatchTarget` where the menu has none of its own.
  func apply(_ patch: MenuPatch) throws {
    let root = try root()
    for change in patch.availability {
      let keys = try products(change.productID)
      try set("availability", of: ProductObject.self, keys) {
        $0.put(change.availability.rawValue)
      }
    }
    for change in patch.prices {
      let keys = try variants(change.variantID)
      try set("price", of: VariantObject.self, keys) { $0.put(change.price) }
    }
    try set("revision", of: MenuObject.self, [root]) { $0.put(patch.revision) }
  }

  private func products(_ id: Int) throws -> [Int] {
    let query = try query(.other("products")) {
      "SELECT pk, owner FROM product WHERE id = ? ORDER BY owner"
    }
    return try known(.product, id, query)
  }

  private func variants(_ id: Int) throws -> [Int] {
    let query = try query(.other("variants")) {
      "SELECT variant.pk, product.owner FROM variant JOIN product ON product.pk = variant.owner "
        + "WHERE variant.id = ? ORDER BY product.owner"
    }
    return try known(.variant, id, query)
  }

  /// Keys, the menu's own first.
  private func known(_ entity: Entity, _ id: Int, _ query: ObjectQuery) throws -> [Int] {
    let found = try query.rows {
      $0.put(id)
    } _: {
      (key: $0.int(), owner: $0.int())
    }
    guard found.first?.owner == 0 else { throw UnknownPatchTarget(entity: entity, id: id) }
    return found.map(\.key)
  }

  private func set<Object: StoredObject>(
    _ column: String, of type: Object.Type, _ keys: [Int], _ put: (inout RowBinder) -> Void
  ) throws {
    let query = try query(.other(column), type, times: keys.count) {
      "UPDATE \(Object.entity) SET \(column) = ? WHERE pk = ?"
    }
    for key in keys {
      try query.run {
        put(&$0)
        $0.put(key)
      }
    }
  }
}
