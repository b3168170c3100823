/// Numbers by kind of object and number: keys by the keys of another store, or by ids.
struct KeyMap {
  private var maps: [ObjectIdentifier: [Int: Int]] = [:]

  subscript<Object: StoredObject>(_ type: Object.Type, _ number: Int) -> Int? {
    get { maps[ObjectIdentifier(type)]?[number] }
    set { maps[ObjectIdentifier(type), default: [:]][number] = newValue }
  }

  /// Every number that others of a kind are mapped to.
  func values<Object: StoredObject>(_ type: Object.Type) -> Set<Int> {
    Set(maps[ObjectIdentifier(type), default: [:]].values)
  }
}

extension Stored {
  func mapped(by keys: KeyMap) -> Self {
    var mapped = self
    var mapping = KeyMapping(keys: keys)
    mapped.key = keys[Object.self, key] ?? 0
    mapped.owner = keys[Object.Owner.self, owner] ?? 0
    mapped.object.visitLinks(&mapping)
    return mapped
  }
}

extension Link {
  func mapped(by keys: KeyMap) -> Self {
    Link(
      source: keys[R.Source.self, source] ?? 0, position: position,
      target: keys[R.Target.self, target] ?? 0)
  }
}

private struct KeyMapping: LinkVisitor {
  let keys: KeyMap

  func owned<Object: StoredObject>(_ key: inout Key<Object>) {
    key.number = keys[Object.self, key.number] ?? 0
  }

  func referenced<Object: StoredObject>(_ key: inout Key<Object>) { owned(&key) }
}
