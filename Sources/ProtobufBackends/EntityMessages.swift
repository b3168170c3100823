import Foundation
import MenuModel
import SwiftProtobuf

/// A part of a menu that is one protobuf message, of those that the whole menu's is made of: what `lmdb`
/// keeps under one key.
package protocol MessageCoded {
  /// The part that a message's bytes hold.
  ///
  /// - Throws: ``ProtobufFailure`` or `BinaryDecodingError` where the bytes are no whole message of it.
  init(message: Data) throws
  /// The message's bytes; throws `BinaryEncodingError` where they would be 2 GiB or more.
  func message() throws -> Data
  /// The bytes of the program on the other side of a change; nil where it writes the part alike.
  func message(across change: SchemaChange) throws -> Data?
}

extension MessageCoded {
  /// Most parts are touched by no change.
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

/// A head is a menu of nothing but its own fields and stop list.
extension Menu: MessageCoded {
  package init(message: Data) throws { try self.init(PBMenu(serializedBytes: message)) }
  package func message() throws -> Data { try PBMenu(self).serializedBytes() }

  package func message(across change: SchemaChange) throws -> Data? {
    try PBMenu(self, across: change).serializedBytes() as Data
  }
}

/// What stores have otherwise, as a menu of nothing else: seldom wanted, so that the head goes without.
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

/// Translations that follow each other, as a menu of nothing else.
package struct TranslationChunk: MessageCoded {
  /// Its place among the chunks, which no message has.
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
