public import StrictJSON

/// Why a menu file could not be read.
public struct MenuFileError: Error, Equatable {
  /// The file, as it was named.
  public var path: String
  /// What is wrong with it.
  public var problem: MenuFileProblem

  /// Makes an error.
  public init(path: String, problem: MenuFileProblem) {
    self.path = path
    self.problem = problem
  }
}

/// What is wrong with a menu file.
public enum MenuFileProblem: Error, Equatable {
  /// There is no such file.
  case missing
  /// It is a directory.
  case directory
  /// It is neither a file nor a directory: a pipe, a device.
  case notAFile
  /// The system refuses to read it.
  case unreadable(reason: String)
  /// It has no bytes.
  case empty
  /// It is larger than ``MenuFile/sizeLimit``; it was not read.
  case tooLarge(bytes: Int, limit: Int)
  /// It is not UTF-8 text.
  case notUTF8(byte: UInt8, at: TextPosition)
  /// It is not JSON: the character cannot stand there.
  case notJSON(found: Character, at: TextPosition)
  /// It is JSON as far as it goes.
  case truncated(end: TextPosition)
  /// It is nested deeper than ``MenuFile/nestingLimit``.
  case tooDeep(limit: Int, at: TextPosition)
  /// It is JSON that no importer recognises; no keys where its top level is not an object.
  case unknownFormat(topLevelKeys: [String])
  /// It is shaped like a format and says that it is another.
  case otherFormat(found: String, expected: String)
  /// It has another schema than the program's.
  case otherSchema(format: String, found: Int, supported: Int)
  /// One value is missing or wrong; the path is empty for the whole file.
  case invalidValue(String, reason: String)
  /// It decodes, and the menu contradicts itself: the first problems.
  case invalidMenu([MenuProblem])
}

extension MenuFileProblem {
  /// The problem that a scan found.
  init(_ fault: JSONScanner.Fault, in text: [UInt8]) {
    switch fault {
    case .truncated:
      self = .truncated(end: TextPosition(offset: text.count, in: text))
    case .unexpected(let offset):
      let character = String(decoding: text[offset...].prefix(16), as: UTF8.self).first ?? " "
      self = .notJSON(found: character, at: TextPosition(offset: offset, in: text))
    case .tooDeep(let offset):
      self = .tooDeep(
        limit: MenuFile.nestingLimit, at: TextPosition(offset: offset, in: text))
    }
  }

  /// The problem that a decoder found.
  init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      self = .invalidValue(Self.path(context.codingPath + [key]), reason: "is missing")
    case .valueNotFound(_, let context):
      self = .invalidValue(
        Self.path(context.codingPath), reason: "is null where a value is needed")
    case .typeMismatch(_, let context), .dataCorrupted(let context):
      self = .invalidValue(Self.path(context.codingPath), reason: context.debugDescription)
    @unknown default:
      self = .invalidValue("", reason: String(describing: error))
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }
}
