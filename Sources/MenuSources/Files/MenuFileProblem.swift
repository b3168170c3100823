import Basics
import MenuModel

/// Why a menu file could not be read.
package struct MenuFileError: Error, Equatable {
  /// The file, as it was named; ``MenuFile/standardInput`` for that.
  package var path: String
  /// What is wrong with it.
  package var problem: MenuFileProblem
}

/// What is wrong with a menu file.
package enum MenuFileProblem: Error, Equatable {
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
  /// It is larger than ``MenuFile/sizeLimit``.
  case tooLarge
  /// It begins as gzip does.
  case gzip
  /// It is not UTF-8 text.
  case notUTF8(byte: UInt8, at: TextPosition)
  /// It is not JSON: the character cannot stand there.
  case notJSON(found: Character, at: TextPosition)
  /// It is JSON as far as it goes.
  case truncated(end: TextPosition)
  /// It is JSON in which an object has one key twice.
  case repeatedKey(String, at: TextPosition)
  /// It is nested deeper than ``MenuFile/nestingLimit``.
  case tooDeep(at: TextPosition)
  /// It is JSON of another shape; no keys where its top level is not an object.
  case foreign(topLevelKeys: [String])
  /// It is shaped like our format and says that it is this other one.
  case otherFormat(String)
  /// It has this schema, which is not the program's.
  case otherSchema(Int)
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
      self = .tooDeep(at: TextPosition(offset: offset, in: text))
    }
  }
}

extension MenuFileError: CustomStringConvertible, UserFacingError {
  /// What is wrong, with the file's path, in one line.
  package var description: String {
    let isInput = path == MenuFile.standardInput
    return (isInput ? "standard input" : "menu file \(path.debugDescription)") + ": \(problem)"
  }

  /// What to do about it, in one line; nil where there is nothing to advise.
  package var help: String? { problem.help }
}

extension MenuFileProblem: CustomStringConvertible {
  /// What is wrong, in one line.
  package var description: String {
    switch self {
    case .missing: "there is no such file"
    case .directory: "it is a directory"
    case .notAFile: "it is not a regular file"
    case .unreadable(let reason): "it cannot be read: \(reason)"
    case .empty: "it is empty"
    case .tooLarge: "it has more bytes than the limit of \(MenuFile.sizeLimit)"
    case .gzip: "it is compressed by gzip"
    case .notUTF8(let byte, let position):
      "byte 0x\(String(byte, radix: 16, uppercase: true)) at \(position) is not UTF-8 text"
    case .notJSON(let found, let position):
      "it is not JSON: unexpected \(String(found).debugDescription) at \(position)"
    case .truncated(let end): "it is cut short: the JSON is not complete at its end, \(end)"
    case .repeatedKey(let key, let position):
      "the key \(String(key.prefix(40)).debugDescription) at \(position) is there twice "
        + "in one object"
    case .tooDeep(let position):
      "it is nested more than \(MenuFile.nestingLimit) levels deep at \(position)"
    case .foreign(let keys): "it is not a menu in our format: \(Self.wording(of: keys))"
    case .otherFormat(let found):
      "its format is \(found.debugDescription), not \(MenuFile.format.debugDescription)"
    case .otherSchema(let found):
      "it has schema \(found) of \(MenuFile.format); this program reads schema \(MenuFile.schema)"
    case .invalidValue(let path, let reason): path.isEmpty ? reason : "\(path): \(reason)"
    case .invalidMenu(let problems): Self.wording(of: problems)
    }
  }

  /// What to do about it, in one line; nil where there is nothing to advise.
  package var help: String? {
    switch self {
    case .missing: "check the path; a preset is named without a path: --menu large"
    case .directory: "name a file in it"
    case .notAFile: "pipe it instead: bench import - < FILE"
    case .tooLarge: "a store's menu takes about 0.2 MB; import one store's, or generate by shape"
    case .gzip: "undo it: gunzip -c FILE | bench import -"
    case .notUTF8: "save the file as UTF-8"
    case .truncated: "fetch or copy the file again"
    case .foreign, .otherFormat:
      "convert it with jq, see Documentation/recipes.md, for example: "
        + "jq -f Datasets/recipes/dominos.jq menu.json | bench import -"
    case .otherSchema(let found) where found > MenuFile.schema:
      "use the version of bench that wrote the file, or write it again with this one"
    case .otherSchema: "write the file again with this version of bench"
    case .repeatedKey: "leave one of the two: nothing says which of them counts"
    case .unreadable, .empty, .notJSON, .tooDeep, .invalidValue, .invalidMenu: nil
    }
  }

  private static func wording(of keys: [String]) -> String {
    guard !keys.isEmpty else { return "its top level has no keys" }
    let shown = keys.prefix(8).map { String($0.prefix(40)).debugDescription }
    let rest = keys.count - shown.count
    return "its top level has the keys " + shown.joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func wording(of problems: [MenuProblem]) -> String {
    let first = problems.first.map(\.description) ?? "the menu contradicts itself"
    return problems.count > 1 ? "\(first) (and \(problems.count - 1) more)" : first
  }
}
