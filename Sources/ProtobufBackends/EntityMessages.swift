import Foundation
import MenuModel
import SwiftProtobuf

/// A part of a menu that is a protobuf message of its own within the menu's message. `lmdb` stores one
/// such part under each key.
package protocol MessageCoded {
  /// Decodes a part from a message.
  ///
  /// - Throws: ``ProtobufFailure`` or `BinaryDecodingError` if the bytes are not a complete message.
  init(message: Data) throws
  /// Encodes the message. Throws `BinaryEncodingError` if it has 2 GiB or more.
  func message() throws -> Data
  /// Encodes the message of the program on the other side of a change. Nil if the bytes do not differ.
  func message(across change: SchemaChange) throws -> Data?
}

extension MessageCoded {
  /// Returns nil, because a change affects only a few parts.
  package func message(across change: SchemaChange) throws -> Data? { nil }
}

extension MenuModel.Category: MessageCoded {
  package init(message: Data) throws { try self.init(PBCategory(serializedBytes: message)) }
  package func message() throws -> Data { try PBCategory(self).serializedBytes() }
}

extension Ingredient: MessageCoded {
  package init(message: Data) throws { try self.init(PBIngredient(serializedBytes: message)) }
  package func message() throws -> Data { try PBIngredient(self).serializedBytes() }
}

extension ModifierGroup: MessageCoded {
  package init(message: Data) throws { try self.init(PBModifierGroup(serializedBytes: message)) }
  package func message() throws -> Data { try PBModifierGroup(self).serializedBytes() }
}

extension Product: MessageCoded {
  package init(message: Data) throws { try self.init(PBProduct(serializedBytes: message)) }
  package func message() throws -> Data { try PBProduct(self).serializedBytes() }

  package func message(across change: SchemaChange) throws -> Data? {
    var message = PBProduct(self)
    try message.cross(change, change.newerProduct())
    return try message.serializedBytes() as Data
  }
}

extension OptionList: MessageCoded {
  package init(message: Data) throws { try self.init(PBOptionList(serializedBytes: message)) }
  package func message() throws -> Data { try PBOptionList(self).serializedBytes() }

  package func message(across change: SchemaChange) throws -> Data? {
    var message = PBOptionList(self)
    try message.options.cross(change, change.newerProduct())
    return try message.serializedBytes() as Data
  }
}

extension Combo: MessageCoded {
  package init(message: Data) throws { try self.init(PBCombo(serializedBytes: message)) }
  package func message() throws -> Data { try PBCombo(self).serializedBytes() }

  package func message(across change: SchemaChange) throws -> Data? {
    var message = PBCombo(self)
    try message.cross(change, change.newerProduct())
    return try message.serializedBytes() as Data
  }
}

/// Encodes the head of a menu, which has only its own fields and the stop list.
extension Menu: MessageCoded {
  package init(message: Data) throws { try self.init(PBMenu(serializedBytes: message)) }
  package func message() throws -> Data { try PBMenu(self).serializedBytes() }

  package func message(across change: SchemaChange) throws -> Data? {
    try PBMenu(self, across: change).serializedBytes() as Data
  }
}

/// All store overrides, encoded as a menu with nothing else. The head lacks them: few reads need them.
package struct StoreOverrides: MessageCoded {
  package let list: [StoreOverride]

  package init(list: [StoreOverride]) { self.list = list }

  package init(message: Data) throws {
    list = try PBMenu(serializedBytes: message).storeOverrides.map { try StoreOverride($0) }
  }

  package func message() throws -> Data {
    var menu = PBMenu()
    menu.storeOverrides = list.map { PBStoreOverride($0) }
    return try menu.serializedBytes()
  }
}

/// Consecutive translations, encoded as a menu with nothing else.
package struct TranslationChunk: MessageCoded {
  /// Its index among the chunks, which is not part of the message.
  package let number: Int
  package let list: [Translation]

  package init(number: Int, list: [Translation]) { (self.number, self.list) = (number, list) }

  package init(message: Data) throws {
    number = 0
    list = try PBMenu(serializedBytes: message).translations.map { try Translation($0) }
  }

  package func message() throws -> Data {
    var menu = PBMenu()
    menu.translations = list.map { PBTranslation($0) }
    return try menu.serializedBytes()
  }
}
