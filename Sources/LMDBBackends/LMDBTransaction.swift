import BackendKit
import CLMDB
import Foundation

/// A transaction on a store's one database, with its cursor. Use it only within
/// ``LMDBEnvironment/read(_:)`` or ``LMDBEnvironment/write(_:_:)``.
///
/// Values are copied out of the map, because the next write may change its pages.
struct LMDBTransaction: ~Copyable {
  private let handle: OpaquePointer
  private let database: MDB_dbi
  private var cursor: OpaquePointer?

  init(_ handle: OpaquePointer, _ database: MDB_dbi) {
    self.handle = handle
    self.database = database
  }

  mutating func value(_ key: [UInt8]) throws -> Data? {
    var found: Data?
    try Self.withValue(key) { key in
      var value = MDB_val()
      let code = mdb_get(handle, database, &key, &value)
      guard code != MDB_NOTFOUND else { return }
      try LMDBFailure.check(code)
      found = Self.copy(value)
    }
    return found
  }

  /// Visits the entries from a key on, until `visit` returns false.
  mutating func entries(
    from key: [UInt8], _ visit: (UnsafeRawBufferPointer, () -> Data) throws -> Bool
  ) throws {
    let cursor = try openCursor()
    var (found, value) = (MDB_val(), MDB_val())
    var code = Self.withValue(key) { key in
      defer { found = key }
      return mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE)
    }
    while code == MDB_SUCCESS {
      guard try visit(UnsafeRawBufferPointer(found), { Self.copy(value) }) else { return }
      code = mdb_cursor_get(cursor, &found, &value, MDB_NEXT)
    }
    guard code == MDB_NOTFOUND else { throw LMDBFailure(code: code) }
  }

  func removeAll() throws { try LMDBFailure.check(mdb_drop(handle, database, 0)) }

  /// Appends an entry whose key is greater than all others. LMDB then fills each page completely.
  mutating func append(_ key: [UInt8], _ value: some ContiguousBytes) throws {
    let cursor = try openCursor()
    try put(key, value) { mdb_cursor_put(cursor, &$0, &$1, UInt32(MDB_APPEND)) }
  }

  /// Adds an entry or replaces its value.
  func put(_ key: [UInt8], _ value: some ContiguousBytes) throws {
    try put(key, value) { mdb_put(handle, database, &$0, &$1, 0) }
  }

  /// Closes the cursor. Call it before the transaction ends.
  mutating func finish() {
    cursor.map(mdb_cursor_close)
    cursor = nil
  }

  private func put(
    _ key: [UInt8], _ value: some ContiguousBytes,
    _ body: (inout MDB_val, inout MDB_val) -> Int32
  ) throws {
    try Self.withValue(key) { key in
      try value.withUnsafeBytes { bytes in
        var value = MDB_val(bytes)
        try LMDBFailure.check(body(&key, &value))
      }
    }
  }

  private static func copy(_ value: MDB_val) -> Data {
    guard let start = value.mv_data, value.mv_size > 0 else { return Data() }
    return Data(bytes: start, count: value.mv_size)
  }

  private mutating func openCursor() throws -> OpaquePointer {
    if let cursor { return cursor }
    try LMDBFailure.check(mdb_cursor_open(handle, database, &cursor))
    guard let cursor else { throw LMDBFailure(code: ENOMEM) }
    return cursor
  }

  private static func withValue<Result>(
    _ bytes: [UInt8], _ body: (inout MDB_val) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBytes {
      var value = MDB_val($0)
      return try body(&value)
    }
  }
}

extension MDB_val {
  /// Wraps bytes that LMDB only reads.
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }
}

extension UnsafeRawBufferPointer {
  fileprivate init(_ value: MDB_val) { self.init(start: value.mv_data, count: value.mv_size) }
}

extension LMDBTransaction {
  mutating func replace(with payload: MenuEntities) throws {
    try removeAll()
    try append(LMDBKey.marker, LMDBMarker.entities.bytes)
    for entity in payload.entities {
      try append(LMDBKey.bytes(entity.key), entity.body)
    }
    for holder in payload.holders {
      let key = payload.entities[holder.entity].key
      try append(LMDBKey.bytes(holder.held, holder.id, in: key), Data())
    }
    for place in payload.shelves { try append(LMDBKey.bytes(place), Data()) }
  }

  mutating func fetch() throws -> MenuEntities {
    var entities: [StoredEntity] = []
    try self.entries(from: [1]) { key, value in
      guard key.first ?? 0 < EntityHolder.Held.product.rawValue else { return false }
      entities.append(StoredEntity(key: try Self.entity(key), body: value()))
      return true
    }
    guard !entities.isEmpty else { throw LMDBFailure("nothing was written") }
    return MenuEntities(entities: entities)
  }

  /// Decodes the entity in a key, or at the end of a holder's key.
  static func entity(_ bytes: UnsafeRawBufferPointer) throws -> EntityKey {
    guard let key = LMDBKey.entity(bytes) else {
      let digits = bytes.map { String($0, radix: 16) }.joined(separator: " ")
      throw LMDBFailure("no entity has the key \(digits)")
    }
    return key
  }
}

/// The bytes of keys: the kind, then big-endian numbers with the sign bit inverted. So LMDB's order,
/// byte by byte, is the order of the kinds and numbers.
///
/// | key | bytes | value |
/// | --- | --- | --- |
/// | the marker | `00` | ``LMDBMarker`` |
/// | an entity | kind, id (8), position (8) | a protobuf message |
/// | a holder | `80` or `81`, id held (8), the holding entity's key (17) | none |
/// | a product's place on its shelf | `82`, category (8), position (8), product (8) | none |
///
/// The longest key has 26 bytes, and LMDB allows 511.
enum LMDBKey {
  /// The key of ``LMDBMarker``, which no entity has.
  static let marker: [UInt8] = [0]

  static func bytes(_ key: EntityKey) -> [UInt8] {
    bytes(key.kind.rawValue, key.id, key.position)
  }

  /// The prefix of the keys of all entities of a kind and id, or of all holders of an entity.
  static func prefix(_ kind: UInt8, _ id: Int) -> [UInt8] { bytes(kind, id) }

  static func bytes(_ held: EntityHolder.Held, _ id: Int, in entity: EntityKey) -> [UInt8] {
    var key = bytes(held.rawValue, id)
    key.append(entity.kind.rawValue)
    append(entity.id, to: &key)
    append(entity.position, to: &key)
    return key
  }

  static func bytes(_ place: ShelfPlace) -> [UInt8] {
    var key = shelf(place.categoryID)
    append(place.position, to: &key)
    append(place.productID, to: &key)
    return key
  }

  /// The prefix of the keys of all places on a shelf.
  static func shelf(_ categoryID: Int) -> [UInt8] { prefix(0x82, categoryID) }

  /// Decodes the product in a shelf place's key, or nil if it is not such a key.
  static func product(_ place: UnsafeRawBufferPointer) -> EntityKey? {
    guard place.count == 25 else { return nil }
    return EntityKey(kind: .product, id: number(place, 17), position: number(place, 9))
  }

  /// Decodes the entity in a key, or at the end of a holder's key, or nil if it is not valid.
  static func entity(_ bytes: UnsafeRawBufferPointer) -> EntityKey? {
    guard bytes.count == 17, let kind = EntityKind(rawValue: bytes[0]) else { return nil }
    return EntityKey(kind: kind, id: number(bytes, 1), position: number(bytes, 9))
  }

  /// Builds a key of one byte and one or two numbers. It reserves room for the longest key, because a
  /// save makes thousands of keys and each should cost only one allocation.
  private static func bytes(_ kind: UInt8, _ first: Int, _ second: Int? = nil) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(26)
    key.append(kind)
    append(first, to: &key)
    if let second { append(second, to: &key) }
    return key
  }

  private static func append(_ number: Int, to key: inout [UInt8]) {
    withUnsafeBytes(of: (UInt64(bitPattern: Int64(number)) ^ sign).bigEndian) {
      key.append(contentsOf: $0)
    }
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    let raw = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    return Int(Int64(bitPattern: UInt64(bigEndian: raw) ^ sign))
  }

  private static let sign: UInt64 = 1 << 63
}

/// The record of a store's owner: `MenuBench entities` and the format's number.
struct LMDBMarker: Hashable {
  static let entities = LMDBMarker(owner: "MenuBench entities", version: 2)
  static let bytes = LMDBMarker(owner: "MenuBench bytes", version: 1)

  private let owner: String
  /// Grows with every change of keys or values.
  private let version: Int

  /// The value of ``LMDBKey/marker``.
  var bytes: [UInt8] { Array("\(owner) \(version)".utf8) }

  /// Throws ``LMDBFailure`` unless a store with entries has our marker in a version that we know.
  func check(_ found: [UInt8]?) throws {
    let words = String(decoding: found ?? [], as: UTF8.self).split(separator: " ")
    guard let last = words.last, let number = Int(last),
      words.dropLast().joined(separator: " ") == owner
    else { throw LMDBFailure("not a menu store: it has entries, but not our marker") }
    guard number <= version else {
      throw LMDBFailure("its format is \(number), newer than \(version), which this program knows")
    }
    guard number == version else {
      throw LMDBFailure(
        "its format is \(number), and this program reads only \(version): remove it and save again")
    }
  }
}
