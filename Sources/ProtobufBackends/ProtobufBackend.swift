import BackendKit
import Foundation
import MenuModel
import SwiftProtobuf

extension BackendEntry where Document == Menu {
  /// `protobuf`: a generated message by swift-protobuf, in one file.
  public static var protobuf: Self { Self(.protobuf, in: .file, id: "protobuf") }
}

extension CodecEntry where Document == Menu {
  /// `protobuf`: a generated message by swift-protobuf.
  public static var protobuf: Self {
    Self(
      id: "protobuf", summary: "a generated message by swift-protobuf",
      caveat: "protobuf's encode and decode pay for the messages, too, which are built as a whole "
        + "between the menu and the bytes",
      library: .swiftProtobuf, fileExtension: "pb",
      advice: [
        Advice(
          "messages of up to a megabyte; a large set as many messages rather than one",
          source: "https://protobuf.dev/programming-guides/techniques/#large-data",
          here: "not followed, as most apps do: one message; lmdb keeps one an entity"),
        Advice(
          "new fields by new numbers, none used twice",
          source: "https://protobuf.dev/best-practices/dos-donts/"),
      ], documentCodec: ProtobufCodec())
  }
}

/// A menu as one protobuf message: `menu.proto` is its schema.
///
/// An embedded product is embedded in the message as well. A field that the schema does not have is
/// skipped, as protobuf means it: a newer program put it there, and it stays in the file until the
/// next menu is stored. An enum's value that the schema does not have is refused, for which there is
/// no value in the menu, and so is a schema of a newer number.
package struct ProtobufCodec: MenuCodec {
  /// The menu as a message's bytes.
  ///
  /// swift-protobuf measures a message once more for each message around it, so embedded products
  /// cost more than their bytes.
  ///
  /// - Throws: `BinaryEncodingError` where they would be 2 GiB or more.
  package func encode(_ document: Menu) throws -> Data { try PBMenu(document).serializedBytes() }

  /// The menu that a message's bytes hold.
  ///
  /// - Throws: ``ProtobufFailure`` or `BinaryDecodingError` where the bytes are no whole message of a
  ///   schema that we know.
  package func decode(_ bytes: Data) throws -> Menu { try Menu(PBMenu(serializedBytes: bytes)) }

  package func encode(_ menu: Menu, across change: SchemaChange) throws -> Data {
    try PBMenu(menu, across: change).serializedBytes()
  }
}

/// Why bytes are no menu, or a menu no message.
struct ProtobufFailure: StoreFault {
  let reason: String
}

extension BinaryDecodingError: StoreFault {
  /// What swift-protobuf found wrong with bytes.
  package var reason: String {
    switch self {
    case .truncated: "it is cut short"
    case .invalidUTF8: "a text in it is not UTF-8"
    case .malformedProtobuf: "it is damaged, or not a protobuf message"
    case .messageDepthLimit: "it nests messages deeper than a menu does"
    default: "swift-protobuf says \(self)"
    }
  }
}

extension BinaryEncodingError: StoreFault {
  /// What swift-protobuf found wrong with a message. It says that fields are missing where it means
  /// that the message is too long (`Message.serializedBytes`); proto3 has no fields to miss.
  package var reason: String {
    switch self {
    case .missingRequiredFields:
      "the menu is too large: a protobuf message takes less than 2 GiB"
    default: "swift-protobuf says \(self)"
    }
  }
}

/// A value that the schema has; else says what has which.
func known<Value>(_ value: Value?, _ what: @autoclosure () -> String) throws -> Value {
  guard let value else {
    throw ProtobufFailure(reason: "\(what()), which schema \(PBMenu.currentSchema) does not have")
  }
  return value
}

extension Message {
  /// What a message of another schema has of the fields that this one's does not: protobuf keeps them
  /// as bytes.
  func unknown<Other: Message>(as type: Other.Type) throws -> Other {
    let bytes = unknownFields.data
    return bytes.isEmpty ? Other() : try Other(serializedBytes: bytes)
  }
}
