import Foundation

/// Turns entities into JSON and back by Foundation, with the defaults that the `json` backend has.
struct EntityCoder {
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  /// The entity's JSON.
  ///
  /// - Throws: ``StorageError`` where JSON has no way to write a value, such as a NaN.
  func encode(_ value: some Encodable, _ key: EntityKey) throws -> Data {
    do {
      return try encoder.encode(value)
    } catch let error as EncodingError {
      throw failure("encode", key, error.fact)
    }
  }

  /// The entity that JSON holds.
  ///
  /// - Throws: ``StorageError`` where it is no JSON or that of something else.
  func decode<Value: Decodable>(_ type: Value.Type, _ entity: StoredEntity) throws -> Value {
    do {
      return try decoder.decode(type, from: entity.body)
    } catch let error as DecodingError {
      throw failure("decode", entity.key, error.fact)
    }
  }

  private func failure(_ operation: String, _ key: EntityKey, _ reason: String) -> StorageError {
    StorageError(operation: operation, path: "\(key)", reason: reason)
  }
}

extension EncodingError {
  fileprivate var fact: String {
    guard case .invalidValue(_, let context) = self else { return "it has no JSON" }
    return context.debugDescription
  }
}

extension DecodingError {
  fileprivate var fact: String {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      return context.debugDescription
    @unknown default: return "not the JSON of this entity"
    }
  }
}
