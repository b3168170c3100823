/// A record of a foreign format that knows which of its fields the menu model has a place for.
protocol ForeignRecord: Decodable {
  associatedtype CodingKeys: CodingKey, CaseIterable
}

/// A foreign record with the names of its further fields, so that none is dropped unseen.
@dynamicMemberLookup
struct Row<Fields: ForeignRecord>: Decodable {
  var fields: Fields
  /// The fields without a place, sorted; blank ones (null, "", [], {}) say nothing and are not here.
  var leftovers: [String]

  init(from decoder: any Decoder) throws {
    fields = try Fields(from: decoder)
    let placed = Set(Fields.CodingKeys.allCases.map(\.stringValue))
    let container = try decoder.container(keyedBy: AnyKey.self)
    leftovers = try container.allKeys
      .filter { !placed.contains($0.stringValue) }
      .filter { try container.decode(Extent.self, forKey: $0).count > 0 }
      .map(\.stringValue).sorted()
  }

  subscript<Value>(dynamicMember path: KeyPath<Fields, Value>) -> Value {
    fields[keyPath: path]
  }
}

/// How much a value of unknown shape holds: the entries of an array or object, 1 for any other
/// value, 0 for null and the empty text.
struct Extent: Decodable {
  var count: Int

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: AnyKey.self) {
      count = object.allKeys.count
    } else if let array = try? decoder.unkeyedContainer() {
      count = array.count ?? 0
    } else {
      let value = try decoder.singleValueContainer()
      let isBlank = value.decodeNil() || (try? value.decode(String.self)) == ""
      count = isBlank ? 0 : 1
    }
  }
}
