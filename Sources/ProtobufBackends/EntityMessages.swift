import BackendKit
import Foundation
import MenuModel
import SwiftProtobuf

extension EntityCoder {
  /// A protobuf message an entity: the messages that the whole menu's is made of. The head is a menu of
  /// nothing but its own fields and stop list, the stores' overrides and a chunk of translations ones of nothing but those.
  package static func protobuf() -> EntityCoder {
    EntityCoder(
      head: coding(PBMenu.init, MenuHead.init),
      category: coding(PBCategory.init, MenuModel.Category.init),
      ingredient: coding(PBIngredient.init, Ingredient.init),
      modifierGroup: coding(PBModifierGroup.init, ModifierGroup.init),
      product: coding(PBProduct.init, Product.init) { try $0.cross($1, $1.newerProduct()) },
      optionList: coding(PBOptionList.init, OptionList.init) {
        try $0.options.cross($1, $1.newerProduct())
      },
      combo: coding(PBCombo.init, Combo.init) { try $0.cross($1, $1.newerProduct()) },
      storeOverrides: coding(PBMenu.init, StoreOverrides.init),
      translations: coding(PBMenu.init, TranslationChunk.init))
  }

  private static func coding<Value, Wire: Message>(
    _ message: @escaping (Value) -> Wire, _ value: @escaping (Wire) throws -> Value,
    across cross: ((inout Wire, SchemaChange) throws -> Void)? = nil
  ) -> EntityCoding<Value> {
    EntityCoding(
      bytes: { try message($0).serializedBytes() },
      value: { try value(Wire(serializedBytes: $0)) },
      foreign: cross.map { cross in
        { entity, change in
          var message = message(entity)
          try cross(&message, change)
          return try message.serializedBytes()
        }
      })
  }
}

extension PBMenu {
  fileprivate init(_ head: MenuHead) {
    self.init()
    id = Int64(head.id)
    revision = Int64(head.revision)
    locale = head.locale
    currency = head.currency
    city = head.city
    stopList = head.stopList.map { PBStopListEntry($0) }
    schema = Self.currentSchema
  }

  fileprivate init(_ overrides: StoreOverrides) {
    self.init()
    storeOverrides = overrides.list.map { PBStoreOverride($0) }
  }

  fileprivate init(_ chunk: TranslationChunk) {
    self.init()
    translations = chunk.translations.map { PBTranslation($0) }
  }
}

extension MenuHead {
  /// - Throws: ``ProtobufFailure`` where the message is not of our schema.
  fileprivate init(_ message: PBMenu) throws {
    try message.checkSchema()
    self.init(
      id: Int(message.id), revision: Int(message.revision), locale: message.locale,
      currency: message.currency, city: message.city,
      stopList: try message.stopList.map { try StopListEntry($0) })
  }
}

extension StoreOverrides {
  fileprivate init(_ message: PBMenu) throws {
    self.init(list: try message.storeOverrides.map { try StoreOverride($0) })
  }
}

extension TranslationChunk {
  fileprivate init(_ message: PBMenu) throws {
    self.init(number: 0, try message.translations.map { try Translation($0) })
  }
}
