import SwiftProtobuf

/// Why bytes are no menu, or a menu no message; becomes a ``StorageError`` where its path is known.
struct ProtobufFailure: Error {
  /// What is wrong.
  let reason: String

  /// What we found wrong.
  init(_ reason: String) { self.reason = reason }

  /// What swift-protobuf found wrong with bytes.
  init(_ error: BinaryDecodingError) {
    switch error {
    case .truncated: self.init("it is cut short")
    case .invalidUTF8: self.init("a text in it is not UTF-8")
    case .malformedProtobuf: self.init("it is damaged, or not a protobuf message")
    case .messageDepthLimit: self.init("it nests messages deeper than a menu does")
    default: self.init("swift-protobuf says \(error)")
    }
  }

  /// What swift-protobuf found wrong with a message. It says that fields are missing where it means
  /// that the message is too long (`Message.serializedBytes`); proto3 has no fields to miss.
  init(_ error: BinaryEncodingError) {
    switch error {
    case .missingRequiredFields:
      self.init("the menu is too large: a protobuf message takes less than 2 GiB")
    default: self.init("swift-protobuf says \(error)")
    }
  }
}

/// Runs an operation on a file's message; what we or swift-protobuf throw becomes a
/// ``StorageError``.
func messaging<Result>(
  _ operation: String, _ path: String, _ body: () throws -> Result
) throws -> Result {
  let failure: ProtobufFailure
  do {
    return try body()
  } catch let error as ProtobufFailure {
    failure = error
  } catch let error as BinaryDecodingError {
    failure = ProtobufFailure(error)
  } catch let error as BinaryEncodingError {
    failure = ProtobufFailure(error)
  }
  throw StorageError(operation: operation, path: path, reason: failure.reason)
}

/// A value that the schema has; else says what has which.
func known<Value>(_ value: Value?, _ what: @autoclosure () -> String) throws -> Value {
  guard let value else {
    throw ProtobufFailure("\(what()), which schema \(PBMenu.currentSchema) does not have")
  }
  return value
}

extension Message {
  /// Throws where the bytes had more fields than this message. Protobuf skips them, but a schema of
  /// our number has none: they are damage, or a part of the menu that would be lost.
  func refuseUnknownFields() throws {
    guard unknownFields.data.isEmpty else {
      throw ProtobufFailure(
        "\(Self.protoMessageName) has a field that schema \(PBMenu.currentSchema) does not have")
    }
  }
}
