import Basics
import Foundation
import MenuModel

/// Turns the entities of a menu into bytes and back, each kind by a coding of its own.
///
/// For one thread at a time, as what is kept between calls is not shared.
package struct EntityCoder {
  package let head: EntityCoding<MenuHead>
  package let category: EntityCoding<MenuModel.Category>
  package let ingredient: EntityCoding<Ingredient>
  package let modifierGroup: EntityCoding<ModifierGroup>
  package let product: EntityCoding<Product>
  package let optionList: EntityCoding<OptionList>
  package let combo: EntityCoding<Combo>
  package let storeOverrides: EntityCoding<StoreOverrides>
  package let translations: EntityCoding<TranslationChunk>

  package init(
    head: EntityCoding<MenuHead>, category: EntityCoding<MenuModel.Category>,
    ingredient: EntityCoding<Ingredient>, modifierGroup: EntityCoding<ModifierGroup>,
    product: EntityCoding<Product>, optionList: EntityCoding<OptionList>,
    combo: EntityCoding<Combo>, storeOverrides: EntityCoding<StoreOverrides>,
    translations: EntityCoding<TranslationChunk>
  ) {
    self.head = head
    self.category = category
    self.ingredient = ingredient
    self.modifierGroup = modifierGroup
    self.product = product
    self.optionList = optionList
    self.combo = combo
    self.storeOverrides = storeOverrides
    self.translations = translations
  }

  /// JSON by Foundation, with the defaults that the `json` backend has.
  package static func json() -> EntityCoder {
    let json = JSONEntities()
    return EntityCoder(
      head: json.coding(), category: json.coding(), ingredient: json.coding(),
      modifierGroup: json.coding(),
      product: json.coding { ForeignProduct($0, across: $1) },
      optionList: json.coding { ForeignOptionList($0, across: $1) },
      combo: json.coding { ForeignCombo($0, across: $1) }, storeOverrides: json.coding(),
      translations: json.coding())
  }
}

/// Turns entities of one kind into bytes and back.
package struct EntityCoding<Value> {
  private let bytes: (Value) throws -> Data
  private let value: (Data) throws -> Value
  private let foreign: ((Value, SchemaChange) throws -> Data)?

  /// - Parameter foreign: writes an entity as the program on the other side of a change would; nil of
  ///   kinds that no change touches.
  package init(
    bytes: @escaping (Value) throws -> Data, value: @escaping (Data) throws -> Value,
    foreign: ((Value, SchemaChange) throws -> Data)? = nil
  ) {
    (self.bytes, self.value, self.foreign) = (bytes, value, foreign)
  }

  /// The entity's bytes.
  ///
  /// - Throws: ``StoreError`` where there are none for a value, as JSON has none for a NaN.
  package func encode(_ entity: Value, _ key: EntityKey) throws -> Data {
    try located("encode", key) { try bytes(entity) }
  }

  /// The entity's bytes as the program on the other side of a change would have written them; nil where
  /// it is written alike.
  package func encode(
    _ entity: Value, across change: SchemaChange, _ key: EntityKey
  ) throws -> Data? {
    try located("encode", key) { try foreign?(entity, change) }
  }

  /// The entity that bytes hold.
  ///
  /// - Throws: ``StoreError`` where they are none, or those of something else.
  package func decode(_ entity: StoredEntity) throws -> Value {
    try located("decode", entity.key) { try value(entity.body) }
  }

  private func located<Result>(
    _ operation: String, _ key: EntityKey, _ body: () throws -> Result
  ) throws -> Result {
    let reason: String
    do { return try body() } catch let error as EncodingError {
      reason = error.briefly
    } catch let error as DecodingError {
      reason = error.brieflyUnscanned
    } catch let fault as any StoreFault {
      reason = fault.reason
    }
    throw StoreError(operation: operation, path: "\(key)", reason: reason)
  }
}

/// Foundation's coders, shared by the entities of all kinds.
private struct JSONEntities {
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  func coding<Value: Codable>() -> EntityCoding<Value> {
    EntityCoding(
      bytes: { [encoder] in try encoder.encode($0) },
      value: { [decoder] in try decoder.decode(Value.self, from: $0) })
  }

  func coding<Value: Codable, Foreign: Encodable>(
    _ foreign: @escaping (Value, SchemaChange) -> Foreign
  ) -> EntityCoding<Value> {
    EntityCoding(
      bytes: { [encoder] in try encoder.encode($0) },
      value: { [decoder] in try decoder.decode(Value.self, from: $0) },
      foreign: { [encoder] in try encoder.encode(foreign($0, $1)) })
  }
}
