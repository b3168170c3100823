/// Is shown an object's links to one object.
protocol LinkVisitor {
  /// A link to a part of the object.
  mutating func owned<Object: StoredObject>(_ key: inout Key<Object>)
  /// A link to an object that stands elsewhere.
  mutating func referenced<Object: StoredObject>(_ key: inout Key<Object>)
}

extension LinkVisitor {
  /// A link that may be missing.
  mutating func owned<Object>(_ key: inout Key<Object>?) {
    guard var there = key else { return }
    owned(&there)
    key = there
  }

  /// A link that may be missing.
  mutating func referenced<Object>(_ key: inout Key<Object>?) {
    guard var there = key else { return }
    referenced(&there)
    key = there
  }
}

extension ValueSink {
  /// Takes a link.
  mutating func put(_ key: Key<some StoredObject>) { put(key.number) }
  /// Takes a link or NULL.
  mutating func put(_ key: Key<some StoredObject>?) { put(key?.number) }
}
