public import Foundation

/// A menu read from a file, and what of the file has no place in it.
public struct ImportedMenu: Equatable, Sendable {
  /// The menu.
  public var menu: Menu
  /// The ``MenuImporter/id`` of the format that it was read from.
  public var format: String
  /// One line each: what was left out, assumed or renamed, and how often.
  public var notes: [String]

  /// Makes an imported menu.
  public init(menu: Menu, format: String, notes: [String] = []) {
    self.menu = menu
    self.format = format
    self.notes = notes
  }
}

/// Reads menus of one file format.
///
/// To add one: a file `Importers/NameImporter.swift` that holds the type `NameImporter` (its parts
/// may have a folder of their own), and a line in ``ImporterRegistry``.
public protocol MenuImporter: Sendable {
  /// The format's name in reports and messages.
  var id: String { get }
  /// What the format is, in one line.
  var summary: String { get }

  /// Whether a JSON object with these keys looks like this format; the file's name plays no part.
  func recognises(topLevelKeys: Set<String>) -> Bool

  /// Reads a menu; its references are checked by the caller.
  ///
  /// - Parameter data: UTF-8 JSON that ``MenuFile`` has checked: well-formed, nested at most
  ///   ``MenuFile/nestingLimit`` deep.
  /// - Throws: `DecodingError` with the path of the offending value, or ``MenuFileProblem``.
  func importMenu(from data: Data) throws -> ImportedMenu
}
