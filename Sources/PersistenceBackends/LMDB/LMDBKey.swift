/// The bytes of keys: the kind, then numbers in big-endian order with the sign's bit turned, so that
/// LMDB's order, byte by byte, is that of the kinds and numbers.
///
/// | what | bytes | value |
/// | --- | --- | --- |
/// | the marker | `00` | ``LMDBMarker`` |
/// | an entity | kind, id (8), position (8) | JSON |
/// | a holder | `80` or `81`, id held (8), the holding entity's key (17) | none |
///
/// The longest has 26 bytes, of the 511 that LMDB allows.
enum LMDBKey {
  /// The key that no entity has.
  static let marker: [UInt8] = [0]

  /// An entity's key.
  static func bytes(_ key: EntityKey) -> [UInt8] {
    prefix(key.kind.rawValue, key.id) + bytes(key.position)
  }

  /// What the keys of all entities of a kind and id, or of all holders of a thing, begin with.
  static func prefix(_ kind: UInt8, _ id: Int) -> [UInt8] { [kind] + bytes(id) }

  /// A holder's key.
  static func bytes(_ held: EntityHolder.Held, _ id: Int, in entity: EntityKey) -> [UInt8] {
    prefix(held.rawValue, id) + bytes(entity)
  }

  /// The entity that a key, or the end of a holder's key, names; nil where it names none.
  static func entity(_ bytes: UnsafeRawBufferPointer) -> EntityKey? {
    guard bytes.count == 17, let kind = EntityKind(rawValue: bytes[0]) else { return nil }
    return EntityKey(kind: kind, id: number(bytes, 1), position: number(bytes, 9))
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: (UInt64(bitPattern: Int64(number)) ^ sign).bigEndian, Array.init)
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    let raw = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    return Int(Int64(bitPattern: UInt64(bigEndian: raw) ^ sign))
  }

  private static let sign: UInt64 = 1 << 63
}
