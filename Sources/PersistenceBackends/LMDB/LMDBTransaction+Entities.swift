import Foundation
import MenuModel

extension LMDBTransaction {
  /// Removes the old menu and adds the new.
  func replace(with payload: MenuEntities) throws {
    try removeAll()
    try append(LMDBKey.marker, LMDBMarker.bytes)
    for entity in payload.entities {
      try Self.check(entity.body.count, entity.key)
      try append(LMDBKey.bytes(entity.key), entity.body)
    }
    for holder in payload.holders {
      let key = payload.entities[holder.entity].key
      try append(LMDBKey.bytes(holder.held, holder.id, in: key), Data())
    }
  }

  /// Every entity.
  func fetch() throws -> MenuEntities {
    var entities: [StoredEntity] = []
    try self.entries(from: [1]) { key, value in
      guard key.first ?? 0 < EntityHolder.Held.product.rawValue else { return false }
      entities.append(StoredEntity(key: try Self.entity(key), body: value()))
      return true
    }
    guard !entities.isEmpty else { throw LMDBFailure("nothing was written") }
    return MenuEntities(entities: entities)
  }

  /// Throws where no menu was written.
  func checkWritten() throws {
    guard try first(.head, 0) != nil else { throw LMDBFailure("nothing was written") }
  }

  /// Changes the entities that a patch is about and writes them again.
  func apply(_ patch: MenuPatch, _ coder: EntityCoder) throws {
    try checkWritten()
    let change = EntityPatch(patch, coder)
    for entity in try targets(of: patch).sorted() {
      guard let body = try value(LMDBKey.bytes(entity)) else {
        throw LMDBFailure("the index names \(entity), which is not there")
      }
      let changed = try change.applied(to: StoredEntity(key: entity, body: body))
      try Self.check(changed.body.count, entity)
      try put(LMDBKey.bytes(entity), changed.body)
    }
  }

  /// The entities that a patch changes; throws `UnknownPatchTarget` where it names what isn't there.
  private func targets(of patch: MenuPatch) throws -> Set<EntityKey> {
    var targets: Set = [EntityKey(kind: .head, id: 0, position: 0)]
    for id in patch.availability.map(\.productID) {
      let products = try keys(LMDBKey.prefix(EntityKind.product.rawValue, id), after: 0)
      guard !products.isEmpty else { throw UnknownPatchTarget(entity: .product, id: id) }
      targets.formUnion(products)
      targets.formUnion(try holders(of: .product, id))
    }
    for id in patch.prices.map(\.variantID) {
      let holders = try holders(of: .variant, id)
      guard holders.contains(where: { $0.kind == .product }) else {
        throw UnknownPatchTarget(entity: .variant, id: id)
      }
      targets.formUnion(holders)
    }
    return targets
  }

  private func holders(of held: EntityHolder.Held, _ id: Int) throws -> [EntityKey] {
    let prefix = LMDBKey.prefix(held.rawValue, id)
    return try keys(prefix, after: prefix.count)
  }

  /// The entities named by keys with a beginning, from an offset on.
  private func keys(_ prefix: [UInt8], after offset: Int) throws -> [EntityKey] {
    var keys: [EntityKey] = []
    try entries(from: prefix) { key, _ in
      guard key.starts(with: prefix) else { return false }
      keys.append(try Self.entity(UnsafeRawBufferPointer(rebasing: key.dropFirst(offset))))
      return true
    }
    return keys
  }

  private static func entity(_ bytes: UnsafeRawBufferPointer) throws -> EntityKey {
    guard let key = LMDBKey.entity(bytes) else {
      let digits = bytes.map { String($0, radix: 16) }.joined(separator: " ")
      throw LMDBFailure("no entity has the key \(digits)")
    }
    return key
  }

  /// LMDB keeps the length of a value in 32 bits (lmdb.h, on `MDB_val`).
  static func check(_ length: Int, _ key: EntityKey) throws {
    guard length <= UInt32.max else {
      throw LMDBFailure("\(key) takes \(length) bytes; LMDB keeps at most \(UInt32.max) in a value")
    }
  }
}

extension LMDBTransaction: EntityLookup {
  func first(_ kind: EntityKind, _ id: Int) throws -> StoredEntity? {
    let prefix = LMDBKey.prefix(kind.rawValue, id)
    var found: StoredEntity?
    try entries(from: prefix) { key, value in
      guard key.starts(with: prefix) else { return false }
      found = StoredEntity(key: try Self.entity(key), body: value())
      return false
    }
    return found
  }
}

extension LMDBTransaction: ScreenLookup {
  func entities(_ kind: EntityKind, first count: Int) throws -> [StoredEntity] {
    var keys: [EntityKey] = []
    try entries(from: [kind.rawValue]) { key, _ in
      guard key.first == kind.rawValue else { return false }
      keys.append(try Self.entity(key))
      return true
    }
    return try keys.sorted { $0.position < $1.position }.prefix(count).compactMap { key in
      try value(LMDBKey.bytes(key)).map { StoredEntity(key: key, body: $0) }
    }
  }

  /// Every product: there is no index of shelves.
  func shelf(_ categories: [MenuModel.Category], _ coder: EntityCoder) throws -> [Product] {
    try entities(.product, first: .max).map { try coder.decode(Product.self, $0) }
  }
}
